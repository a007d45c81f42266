import { expect, test } from 'vitest';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { storageConformance, type StorageUnderTest } from '../../src/testing/storage/conformance.ts';

/** Runs the kit; the names of the contracts that fail. */
async function failuresOf(storage: StorageUnderTest): Promise<string[]> {
  const tests: { name: string; body: () => Promise<void> }[] = [];
  const runner = {
    describe: (_name: string, body: () => void) => body(),
    test: (name: string, body: () => Promise<void>) => void tests.push({ name, body }),
  };
  storageConformance(runner, storage);
  const failed: string[] = [];
  for (const { name, body } of tests) await body().catch(() => failed.push(name));
  return failed;
}

const CLEARED_NAMES = 'an empty name clears and is read as none';

/** Forgets to clear names. */
async function openForgetful(): Promise<Storage> {
  const storage = openMemoryStorage();
  const { calls } = storage;
  const rename: Storage['calls']['rename'] = async (project, id, name) => {
    if (name !== '') await calls.rename(project, id, name);
  };
  return {
    ...storage,
    calls: {
      rename,
      write: (facts) => calls.write(facts),
      delete: (...request) => calls.delete(...request),
      get: (...request) => calls.get(...request),
      query: (...request) => calls.query(...request),
      count: (...request) => calls.count(...request),
    },
  };
}

test('an engine that keeps the contract passes', async () => {
  expect(await failuresOf({ name: 'memory', open: async () => openMemoryStorage() })).toEqual([]);
});

test('a broken contract fails under its name', async () => {
  expect(await failuresOf({ name: 'forgetful', open: openForgetful })).toEqual([CLEARED_NAMES]);
});

test('an excused contract may fail', async () => {
  const excused = { [CLEARED_NAMES]: 'it forgets' };
  expect(await failuresOf({ name: 'forgetful', open: openForgetful, excused })).toEqual([]);
});

test('an excused contract that is kept fails', async () => {
  const excused = { [CLEARED_NAMES]: 'it forgot' };
  const failed = await failuresOf({ name: 'memory', open: async () => openMemoryStorage(), excused });
  expect(failed).toEqual([`${CLEARED_NAMES} (excused: it forgot)`]);
});

test('an excuse for no contract fails', async () => {
  const excused = { 'no such contract': 'typing error' };
  const failed = await failuresOf({ name: 'memory', open: async () => openMemoryStorage(), excused });
  expect(failed).toEqual(['every excuse names a contract']);
});
