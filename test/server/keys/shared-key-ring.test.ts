import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hashKey, type KeyRecord } from '../../../src/server/keys/keys.ts';
import { KeyRing } from '../../../src/server/keys/key-ring.ts';
import { SharedKeyRing } from '../../../src/server/keys/shared-key-ring.ts';
import type { KeyStore } from '../../../src/storage/contract/keys.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function recordOf(key: string): KeyRecord {
  const who = { id: key, name: key, prefix: key, userId: 'ada', entities: ['*'], privileges: [] };
  return { ...who, hash: hashKey(key), createdAt: '2026-01-01T00:00:00Z' };
}

/** Keys that all services share, as long as they can be read; how often they were is counted. */
class Shared implements KeyStore {
  keys = [recordOf('known')];
  isAway = false;
  reads = 0;

  async list(): Promise<KeyRecord[]> {
    this.reads++;
    if (this.isAway) throw new Error('connection refused');
    return this.keys;
  }

  async create(): Promise<void> {}

  async revoke(): Promise<boolean> {
    return false;
  }
}

async function open() {
  const store = new Shared();
  const [stopping, errors] = [new AbortController(), vi.fn<(error: unknown) => void>()];
  const own = new KeyRing([recordOf('own')]);
  const ring = await SharedKeyRing.open({ own, store, stopping: stopping.signal, onError: errors });
  return { store, ring, errors, stop: () => stopping.abort() };
}

test('a key that was made is known at once, and one that was revoked is not after a second', async () => {
  const { store, ring } = await open();
  store.keys = [...store.keys, recordOf('new')];
  expect(ring.find('new')).toBeUndefined();
  await ring.lookUp('new');
  expect(ring.find('new')?.id).toBe('new');
  store.keys = [];
  await vi.advanceTimersByTimeAsync(1000);
  expect(ring.find('known')).toBeUndefined();
  expect(ring.find('own')?.id).toBe('own');
});

test('a known key waits for nothing, while its keys were read lately', async () => {
  const { ring } = await open();
  expect(ring.lookUp('known')).toBeUndefined();
});

test('while keys cannot be read, those of before count for a while, and then nobody can tell', async () => {
  const { store, ring, errors } = await open();
  store.isAway = true;
  await vi.advanceTimersByTimeAsync(25_000);
  expect(ring.lookUp('known')).toBeUndefined();
  expect(errors).toHaveBeenCalledTimes(1);
  await expect(ring.lookUp('unknown')).rejects.toMatchObject({ code: 'unavailable' });
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(ring.lookUp('known')).rejects.toMatchObject({ code: 'unavailable' });
  expect(ring.lookUp('own')).toBeUndefined();
  store.isAway = false;
  await ring.lookUp('known');
  expect(ring.find('known')?.id).toBe('known');
});

test.each([1, 20, 500])('%i unknown keys at once cost few reads, and each is told the truth', async (count) => {
  const { store, ring } = await open();
  store.keys = [...store.keys, recordOf('new')];
  const before = store.reads;
  const asked = Array.from({ length: count }, async (_, index) => {
    await ring.lookUp(index === count - 1 ? 'new' : `no-${index}`);
  });
  const done = Promise.all(asked);
  await vi.advanceTimersByTimeAsync(1100);
  await done;
  expect(ring.find('new')?.id).toBe('new');
  expect(store.reads - before).toBeLessThanOrEqual(4);
  store.isAway = true;
  await vi.advanceTimersByTimeAsync(1000);
  const refused = Promise.allSettled(
    Array.from({ length: count }, async (_, index) => await ring.lookUp(`no-${index}`)),
  );
  await vi.advanceTimersByTimeAsync(1100);
  expect(new Set((await refused).map(({ status }) => status))).toEqual(new Set(['rejected']));
});
