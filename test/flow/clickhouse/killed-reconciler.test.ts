import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { gatedWriter } from '../../clickhouse/gated-writer.ts';
import type { Expression } from '../../../src/protocol/query.ts';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { joinHalves } from '../../../src/storage/clickhouse/upkeep/reconcile.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { countCalls, endFact, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';

const bench = useClickhouse();
const PROGRAM = fileURLToPath(new URL('../../clickhouse/reconcile-program.ts', import.meta.url));

/** More of them with `SPOOR_TEST_KILLS`. */
const ROUNDS = Number(process.env['SPOOR_TEST_KILLS'] ?? 3);
const HALVES = 40;
const TYPESCRIPT = ['--import', new URL('../../load-typescript.js', import.meta.url).href, '--conditions=spoor-source'];

describe.skipIf(MISSING !== undefined)('a reconciler that is killed while it joins', () => {
  test('leaves what the next one makes whole, and nothing twice', { timeout: 300_000 + ROUNDS * 10_000 }, async () => {
    const url = await bench.newDatabase();
    const storage = await openClickhouseStorage({ url, groupMs: 0 });
    onTestFinished(async () => await storage.close());
    let wholeMs = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await leaveHalves(url, storage, round);
      // The first one tells how long it takes; the others are killed at any moment of that.
      const ms = await reconcile(url, round === 0 ? undefined : Math.random() * wholeMs);
      wholeMs = Math.max(wholeMs, ms);
    }
    const { connection, groups, goOn } = gatedWriter(url);
    goOn();
    while ((await joinHalves(connection, groups)) > 0);
    const isRunning: Expression = { $eq: [{ $getField: 'ended_at' }, { $literal: null }] };
    expect(await countCalls(storage)).toBe(ROUNDS * HALVES);
    expect(await countCalls(storage, { query: { $expr: isRunning } })).toBe(0);
    for (const id of [idOf(0, 0), idOf(ROUNDS - 1, HALVES - 1)]) {
      expect(await storage.calls.get(PROJECT, id)).toMatchObject({ inputs: `{"of":"${id}"}`, output: `"${id}"` });
    }
  });
});

function idOf(round: number, index: number): string {
  return `r${round}-${index}`;
}

/** One service has looked for ends and stores starts, while another one stores the ends. */
async function leaveHalves(url: string, storage: Storage, round: number): Promise<void> {
  const ids = Array.from({ length: HALVES }, (_, index) => idOf(round, index));
  const { connection, groups, goOn } = gatedWriter(url);
  const started = groups.write(ids.map((id) => startFact(id, { inputs: `{"of":"${id}"}` })));
  await connection.isReached;
  await storage.calls.write(ids.map((id) => endFact(id, { output: `"${id}"` })));
  goOn();
  await started;
}

/** Milliseconds from its first look to its end, or until it was killed. */
async function reconcile(url: string, killedMs: number | undefined): Promise<number> {
  const child = spawn(process.execPath, [...TYPESCRIPT, PROGRAM, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const isReady = await Promise.race([once(child.stdout, 'data'), exited.then(() => undefined)]);
  if (isReady === undefined) throw new Error('The reconciler ended before it began');
  const began = performance.now();
  if (killedMs !== undefined) void setTimeout(killedMs).then(() => child.kill('SIGKILL'));
  const [code] = await exited;
  if (killedMs === undefined && code !== 0) throw new Error(`The reconciler ended with ${code}`);
  return performance.now() - began;
}
