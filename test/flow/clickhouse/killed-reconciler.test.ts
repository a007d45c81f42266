import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { gatedWriter } from '../../clickhouse/gated-writer.ts';
import type { Expression } from '../../../src/protocol/query.ts';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { joinHalves } from '../../../src/storage/clickhouse/upkeep/reconcile.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { countCalls, endFact, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';

const bench = useClickhouse();
const PROGRAM = fileURLToPath(new URL('../../clickhouse/reconcile-program.ts', import.meta.url));

/** Rounds that are killed at any moment, with `SPOOR_TEST_KILLS`. */
const ROUNDS = Number(process.env['SPOOR_TEST_KILLS'] ?? 0);
const HALVES = 40;
const TYPESCRIPT = ['--import', new URL('../../load-typescript.js', import.meta.url).href, '--conditions=spoor-source'];
const IS_RUNNING: Expression = { $eq: [{ $getField: 'ended_at' }, { $literal: null }] };
/** A join of some halves takes ten or so. */
const LEAST_REQUESTS = 6;

describe.skipIf(MISSING !== undefined)('a reconciler that is killed while it joins', () => {
  test('before any of its requests leaves what the next one makes whole, and nothing twice', async () => {
    const { url, storage } = await openDatabase();
    let requests = 0;
    for (let isKilled = true; isKilled; requests++) {
      await leaveHalves(url, storage, requests);
      isKilled = await reconcile(url, { killedAt: requests + 1 });
      await joinAll(url);
      expect({ requests, broken: await brokenOf(storage, requests) }).toEqual({ requests, broken: [] });
      expect(await countCalls(storage)).toBe((requests + 1) * HALVES);
    }
    expect(requests).toBeGreaterThan(LEAST_REQUESTS);
  });

  const atAnyMoment = { timeout: 300_000 + ROUNDS * 10_000 };
  test.runIf(ROUNDS > 0)('at any moment leaves the same', atAnyMoment, async () => {
    const { url, storage } = await openDatabase();
    let wholeMs = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await leaveHalves(url, storage, round);
      const began = performance.now();
      // The first one tells how long it takes; the others are killed at any moment of that.
      await reconcile(url, round === 0 ? {} : { killedMs: Math.random() * wholeMs });
      wholeMs = Math.max(wholeMs, performance.now() - began);
    }
    await joinAll(url);
    expect(await countCalls(storage)).toBe(ROUNDS * HALVES);
    expect(await countCalls(storage, { query: { $expr: IS_RUNNING } })).toBe(0);
    for (const round of [0, ROUNDS - 1]) expect(await brokenOf(storage, round)).toEqual([]);
  });
});

async function openDatabase(): Promise<{ readonly url: string; readonly storage: Storage }> {
  // The storage itself would join halves every ten seconds, in place of the one that is killed.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const url = await bench.newDatabase();
  const storage = await openClickhouseStorage({ url, groupMs: 0 });
  onTestFinished(async () => await storage.close());
  return { url, storage };
}

/** The work of the one that comes next. */
async function joinAll(url: string): Promise<void> {
  const { connection, groups, goOn } = gatedWriter(url);
  goOn();
  while ((await joinHalves(connection, groups)).length > 0);
}

function idsOf(round: number): string[] {
  return Array.from({ length: HALVES }, (_, index) => idOf(round, index));
}

/** The calls of a round that are not as start and end have made them. */
async function brokenOf(storage: Storage, round: number): Promise<string[]> {
  const found = await Promise.all(idsOf(round).map(async (id) => [id, await storage.calls.get(PROJECT, id)] as const));
  return found
    .filter(([id, call]) => call?.inputs !== `{"of":"${id}"}` || call.output !== `"${id}"` || call.ended_at === null)
    .map(([id]) => id);
}

function idOf(round: number, index: number): string {
  return `r${round}-${index}`;
}

/** One service has looked for ends and stores starts, while another one stores the ends. */
async function leaveHalves(url: string, storage: Storage, round: number): Promise<void> {
  const ids = idsOf(round);
  const { connection, groups, goOn } = gatedWriter(url);
  const started = groups.write(ids.map((id) => startFact(id, { inputs: `{"of":"${id}"}` })));
  await connection.isReached;
  await storage.calls.write(ids.map((id) => endFact(id, { output: `"${id}"` })));
  goOn();
  await started;
}

interface Kill {
  /** The request before which it kills itself, counted from 1. */
  readonly killedAt?: number;
  /** Milliseconds after its first look. */
  readonly killedMs?: number;
}

/** Resolves with whether it was killed before it had joined all. */
async function reconcile(url: string, { killedAt = 0, killedMs }: Kill): Promise<boolean> {
  const args = [...TYPESCRIPT, PROGRAM, url, String(killedAt)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const isReady = await Promise.race([once(child.stdout, 'data'), exited.then(() => undefined)]);
  if (isReady === undefined) throw new Error('The reconciler ended before it began');
  if (killedMs !== undefined) void setTimeout(killedMs).then(() => child.kill('SIGKILL'));
  const [code, signal] = await exited;
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`The reconciler ended with ${code}`);
  return signal === 'SIGKILL';
}
