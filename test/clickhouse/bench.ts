import { existsSync } from 'node:fs';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import { newDatabaseOn, run, startShim } from './engine-process.ts';

export const IS_INSTALLED = existsSync(new URL('node_modules/chdb/package.json', import.meta.url));
const SERVER = process.env['SPOOR_TEST_CLICKHOUSE_URL'];

/** Why tests of the engine cannot run here; undefined where they can. */
export const MISSING =
  SERVER === undefined && !IS_INSTALLED
    ? 'neither is SPOOR_TEST_CLICKHOUSE_URL set nor chDB installed (npm ci in test/clickhouse)'
    : undefined;

/** Says so, where a runner would show fewer tests only. */
if (MISSING !== undefined) process.stderr.write(`tests of the ClickHouse engine are skipped: ${MISSING}\n`);

const TIMEOUT_MS = 300_000;

export interface Bench {
  /** A database of its own. */
  readonly newDatabase: () => Promise<string>;
}

/** The engine for the tests of a file: a server that is given, or chDB in a process of its own. */
export function useClickhouse(): Bench {
  // Every test makes the tables of a database, and each read is a request or two: a machine with other work takes long.
  vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });
  let url = SERVER ?? '';
  let close = async () => {};
  const names: string[] = [];
  beforeAll(async () => {
    if (MISSING !== undefined || SERVER !== undefined) return;
    const started = await startShim();
    ({ url, close } = started);
  }, TIMEOUT_MS);
  afterAll(async () => {
    if (SERVER !== undefined) await dropAll(url, names);
    await close();
  });
  return {
    newDatabase: async () => {
      const made = await newDatabaseOn(url);
      names.push(made.name);
      return made.url;
    },
  };
}

let shared: Promise<{ readonly url: string }> | undefined;

/** A database on an engine that lives as long as this process, for suites that run on every engine. */
export async function sharedDatabase(): Promise<string> {
  if (MISSING !== undefined) throw new Error(`Cannot test on ClickHouse: ${MISSING}`);
  shared ??= SERVER === undefined ? startShim() : Promise.resolve({ url: SERVER });
  return (await newDatabaseOn((await shared).url)).url;
}

async function dropAll(url: string, names: readonly string[]): Promise<void> {
  for (const name of names) await run(url, `DROP DATABASE IF EXISTS ${name}`);
}

/** An engine that a test may kill. */
export interface Engine {
  /** Of a database of its own. */
  readonly url: string;
  /** It is gone at once, as after a power cut of its machine. */
  readonly kill: () => Promise<void>;
  /** It is there again, with what it had on its disk, at the same address. */
  readonly startAgain: () => Promise<void>;
}

/** An engine of a test's own, with its data in a folder. Needs chDB: `IS_INSTALLED`. */
export async function startEngine(folder: string): Promise<Engine> {
  let shim = await startShim(folder);
  onTestFinished(async () => await shim.kill());
  const { url } = await newDatabaseOn(shim.url);
  const { port } = new URL(url);
  return {
    url,
    kill: async () => await shim.kill(),
    startAgain: async () => {
      shim = await startShim(folder, port);
    },
  };
}
