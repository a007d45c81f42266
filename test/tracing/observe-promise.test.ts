import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording, treeOf } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

/** Reasons of the rejections that nobody handled while `act` ran and the event loop went round. */
async function unhandledDuring(act: () => void): Promise<unknown[]> {
  const reasons: unknown[] = [];
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason) => reasons.push(reason));
  try {
    act();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  }
  return reasons;
}

test('a rejection that nobody handles stays one unhandled rejection', async () => {
  const error = new Error('lost');
  const asyncFail = traced(async () => {
    throw error;
  });
  const syncFail = traced(() => Promise.reject(error));
  expect(await unhandledDuring(() => void asyncFail())).toEqual([error]);
  expect(await unhandledDuring(() => void syncFail())).toEqual([error]);
});

test('a rejection that is handled adds none', async () => {
  const fail = traced(() => Promise.reject(new Error('known')));
  expect(await unhandledDuring(() => void fail().catch(() => undefined))).toEqual([]);
});

test('the same promise in gives the same promise out, and one rejection', async () => {
  const shared = Promise.reject(new Error('shared'));
  const get = traced(() => shared, { name: 'get' });
  const reasons = await unhandledDuring(() => {
    expect(get()).toBe(get());
  });
  expect(reasons).toHaveLength(1);
  expect(recording.calls().map(({ end }) => end?.exception?.split('\n')[0])).toEqual([
    'Error: shared',
    'Error: shared',
  ]);
});

test('what hangs on a promise hangs on the derived one', async () => {
  const original = Object.assign(Promise.resolve(1), { cancel: () => 'cancelled' });
  const result = traced(() => original)();
  expect(result.cancel()).toBe('cancelled');
  expect(await result).toBe(1);
});

test('a subclass of Promise is returned as the same object and ends the call when it is awaited', async () => {
  class Job<Value> extends Promise<Value> {
    cancel(): string {
      return 'cancelled';
    }
  }
  const job = new Job<number>((resolve) => setImmediate(() => resolve(3)));
  const result = traced(() => job, { name: 'job' })();
  expect(result).toBe(job);
  expect(result.cancel()).toBe('cancelled');
  expect(recording.call('job').end).toBeUndefined();
  expect(await result).toBe(3);
  expect(recording.call('job').end?.output).toBe(3);
});

test('a rejected subclass rejects once and with the same error', async () => {
  class Job<Value> extends Promise<Value> {}
  const error = new Error('job');
  const start = traced(() => Job.reject(error), { name: 'job' });
  const reasons = await unhandledDuring(() => {
    void start().catch(() => undefined);
  });
  expect(reasons).toEqual([]);
  expect(recording.call('job').end?.exception).toMatch(/^Error: job/);
});

test('a lazy thenable is started by the await of the user alone, below the call, once per await', async () => {
  let runs = 0;
  const load = traced(() => 'row', { name: 'load' });
  class Query {
    readonly text = 'select 1';
    // It is what the test is about.
    // oxlint-disable-next-line unicorn/no-thenable
    then(onValue: (value: string) => void, onError: (error: unknown) => void): void {
      runs += 1;
      void Promise.resolve(load()).then(onValue, onError);
    }
  }
  const query = new Query();
  const find = traced(() => query, { name: 'find' });
  const result = find();
  await new Promise((resolve) => setImmediate(resolve));
  expect(result).toBe(query);
  expect(Object.keys(result)).toEqual(['text']);
  expect(runs).toBe(0);
  expect(await result).toBe('row');
  expect(runs).toBe(1);
  expect(treeOf(recording)).toEqual(['find(load)']);
  expect(recording.call('find').end?.output).toBe('row');
});

test('a thenable that is gone while its value is awaited', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const query = traced(
    () => ({
      // oxlint-disable-next-line unicorn/no-thenable
      then(onValue: (value: string) => void): void {
        void (async () => {
          for (let round = 0; round < 3; round++) {
            collect();
            await sleep(5);
          }
          onValue('rows');
        })();
      },
    }),
    { name: 'query' },
  );
  await query();
  expect(recording.call('query').end?.output).toBe('rows');
});

test('callbacks of a thenable run in the context of the user', async () => {
  class Job<Value> extends Promise<Value> {}
  const job = traced(() => new Job<number>((resolve) => setImmediate(() => resolve(1))), { name: 'job' });
  const after = traced((value: number) => value, { name: 'after' });
  await job().then((value) => after(value));
  expect(treeOf(recording)).toEqual(['job', 'after']);
});

test('a frozen thenable is left alone and its call ends at once', async () => {
  class Job<Value> extends Promise<Value> {}
  const job = Object.freeze(Job.resolve(4));
  expect(await traced(() => job, { name: 'job' })()).toBe(4);
  expect(recording.call('job').end?.output).toBe('[Promise]');
});

test('an object whose then throws is returned as it is', () => {
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('trap');
      },
    },
  );
  expect(traced(() => trap, { name: 'trap' })()).toBe(trap);
  expect(recording.call('trap').end).toBeDefined();
});

/** Functions that say they are async, and return something else. */
const disguises = {
  proxy: <Result>(result: Result) =>
    new Proxy(async () => undefined, { apply: () => result }) as unknown as () => Result,
  mimic: <Result>(result: Result) =>
    Object.setPrototypeOf(() => result, Object.getPrototypeOf(async () => undefined) as object) as () => Result,
};

describe.each(Object.entries(disguises))('a function that only looks like an async one (%s)', (_, disguised) => {
  test('hands on a lazy thenable, which nobody has started', () => {
    let started = 0;
    // oxlint-disable-next-line unicorn/no-thenable
    const query = { then: (done: (rows: number) => void) => done(++started) };
    expect(traced(disguised(query))()).toBe(query);
    expect(started).toBe(0);
  });

  test('hands on a promise of another class', () => {
    class Cancellable<Value> extends Promise<Value> {}
    const promise = Cancellable.resolve(1);
    expect(traced(disguised(promise))()).toBe(promise);
  });

  test('hands on a plain object, which is its output', () => {
    const plain = { rows: 1 };
    expect(traced(disguised(plain), { name: 'plain' })()).toBe(plain);
    expect(recording.call('plain').end?.output).toEqual(plain);
  });
});
