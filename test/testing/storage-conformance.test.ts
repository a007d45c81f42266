import { expect, test } from 'vitest';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { failuresOf } from './storage-failures.ts';

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

/** What a capability promises that memory does not keep, or cannot show. */
const FALSE_PROMISES = {
  durable: [
    'what was written is there when the storage is opened again',
    'every role has what was written, and what was deleted stays so, when the storage is opened again',
    'writes that were asked for before the storage is closed are there when it is opened again',
  ],
} as const;

test.each(Object.entries(FALSE_PROMISES))('%s is checked where it is declared', async (capability, contracts) => {
  const open = async () => {
    const memory = openMemoryStorage();
    return { ...memory, capabilities: { ...memory.capabilities, [capability]: true } };
  };
  expect(await failuresOf({ name: 'boasting', open })).toEqual(contracts);
});

test('what hangs on a capability is skipped where it is absent, with the reason', async () => {
  const reasons: string[] = [];
  const open = async () => ({ ...openMemoryStorage(), capabilities: {}, catchUp: async () => undefined });
  expect(await failuresOf({ name: 'modest', open }, (reason) => reasons.push(reason))).toEqual([]);
  const names = ['snapshots', 'atomicBatches', 'readYourWrites', 'durable'];
  for (const name of names) expect(reasons).toContain(`the storage does not declare "${name}"`);
  for (const name of ['upkeep', 'writeQueue', 'writeQueue.groupCount', 'retention.giveBack']) {
    expect(reasons).toContain(`the storage has no role "${name}"`);
  }
});

test('an excused contract is skipped, too, where what it hangs on is absent', async () => {
  const contract = 'commits that writes share are counted';
  const skipped: string[] = [];
  const excused = { [contract]: 'it counts none' };
  const failed = await failuresOf({ name: 'memory', open: async () => openMemoryStorage(), excused }, (reason) =>
    skipped.push(reason),
  );
  expect(failed).toEqual([]);
  expect(skipped).toContain('the storage has no role "writeQueue.groupCount"');
});

test('what is declared by being there is checked where it is there', async () => {
  const queue = { waitingCount: 0, waitingBytes: 0, writtenCount: 0, groupCount: 0 };
  const open = async () => {
    const memory = openMemoryStorage();
    return { ...memory, writeQueue: () => queue, retention: Object.assign(memory.retention ?? {}, { giveBack }) };
  };
  const giveBack = async () => false;
  expect(await failuresOf({ name: 'boasting', open: open as () => Promise<Storage> })).toEqual([
    'room that removed calls took is given back, until there is none',
    'writes that were answered are counted',
    'commits that writes share are counted',
  ]);
});

test('a storage that cannot be waited for fails', async () => {
  const open = async () => ({ ...openMemoryStorage(), capabilities: {} });
  expect((await failuresOf({ name: 'careless', open })).length).toBeGreaterThan(100);
});
