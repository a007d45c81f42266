import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';

const SHIM = fileURLToPath(new URL('shim.js', import.meta.url));
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

async function newDatabaseOn(url: string): Promise<{ readonly name: string; readonly url: string }> {
  const name = `spoor_test_${randomUUID().replaceAll('-', '')}`;
  await run(url, `CREATE DATABASE ${name}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return { name, url: address.href };
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

async function run(url: string, query: string): Promise<void> {
  const client = createClient({ url });
  try {
    await client.command({ query });
  } finally {
    await client.close();
  }
}

interface Unrefed {
  readonly unref?: () => void;
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

interface Shim {
  readonly url: string;
  readonly close: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

async function startShim(given?: string, port = '0'): Promise<Shim> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'spoor-chdb-')));
  const child = spawn(process.execPath, [SHIM, folder, port], { stdio: ['pipe', 'pipe', 'inherit'] });
  // It ends with this process, and must not keep it; what it holds of this process' standard error would keep the runner.
  for (const handle of [child, child.stdin, child.stdout]) (handle as Unrefed).unref?.();
  const end = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', end);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
    child.once('exit', (code) => reject(new Error(`The engine ended with ${code} before it could be asked`)));
  });
  return {
    url,
    close: async () => {
      process.removeListener('exit', end);
      await ended(child, () => child.stdin.end());
    },
    kill: async () => {
      process.removeListener('exit', end);
      await ended(child, () => child.kill('SIGKILL'));
    },
  };
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  end();
  await exit;
}
