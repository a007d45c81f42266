import { expect, test } from 'vitest';
import { Pumps } from '../../src/delivery/queue/pumps.ts';

/** Pumps of which each goes on when it is told. */
function openPumps(...counts: readonly number[]) {
  const runs = counts.map(() => 0);
  const finish: ((error?: Error) => void)[] = [];
  const told: unknown[] = [];
  const pumps = counts.map((count, index) => ({
    count,
    pump: () => {
      runs[index] = (runs[index] ?? 0) + 1;
      return new Promise<void>((resolve, reject) => {
        finish[index] = (error) => (error ? reject(error) : resolve());
      });
    },
  }));
  const events = { onRest: () => told.push('rest'), onError: (cause: unknown) => told.push(cause) };
  return { pumps: new Pumps(pumps, events), runs, finish, told };
}

test('each runs once at a time, and those that have nothing do not', () => {
  const { pumps, runs } = openPumps(1, 0, 1);
  pumps.start();
  pumps.start();
  expect(runs).toEqual([1, 0, 1]);
});

test('a run waits for what is under way and runs once more', async () => {
  const { pumps, runs, finish, told } = openPumps(1);
  pumps.start();
  const run = pumps.run();
  finish[0]?.();
  await expect.poll(() => runs).toEqual([2]);
  finish[0]?.();
  await run;
  expect(told).toEqual(['rest', 'rest']);
});

test('a failure that cannot even be told of stops no pump', async () => {
  let runs = 0;
  const pump = { count: 1, pump: () => Promise.reject(new Error(`run ${++runs}`)) };
  const pumps = new Pumps([pump], {
    onRest: () => undefined,
    onError: () => {
      if (runs === 1) throw new Error('no memory');
    },
  });
  await expect(pumps.run()).rejects.toThrow('no memory');
  await pumps.run();
  expect(runs).toBe(2);
});

test('one that fails is told of, and fails nobody who waits', async () => {
  const { pumps, finish, told } = openPumps(1, 1);
  const run = pumps.run();
  await expect.poll(() => finish).toHaveLength(2);
  const failure = new Error('no handles');
  finish[0]?.(failure);
  finish[1]?.();
  expect(await run).toBeUndefined();
  expect(told).toEqual([failure, 'rest', 'rest']);
});
