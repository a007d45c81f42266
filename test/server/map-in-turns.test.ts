import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { createFeedbackBatch } from '../../src/server/ingest/feedback/create-feedback-batch.ts';
import { mapInTurns } from '../../src/server/http/map-in-turns.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';

/** Takes so many milliseconds, and everybody else waits. */
function spin(durationMs: number): void {
  const end = performance.now() + durationMs;
  while (performance.now() < end);
}

test('others have their turns while many items are mapped, and the order stays', async () => {
  const events: string[] = [];
  setImmediate(() => events.push('other'));
  const work = mapInTurns([1, 2, 3, 4, 5], (item, index) => {
    spin(6);
    return item * 10 + index;
  }).then((results) => {
    events.push('done');
    return results;
  });
  expect(await work).toEqual([10, 21, 32, 43, 54]);
  expect(events).toEqual(['other', 'done']);
});

test('an item that is refused ends it', async () => {
  const refuse = (item: number) => {
    if (item === 2) throw new RangeError('no');
    return item;
  };
  await expect(mapInTurns([1, 2, 3], refuse)).rejects.toThrow('no');
  expect(await mapInTurns([], refuse)).toEqual([]);
});

test('an item that takes time of its own is waited for before the next one', async () => {
  const events: string[] = [];
  const results = await mapInTurns([1, 2], async (item) => {
    events.push(`begin ${item}`);
    await Promise.resolve();
    events.push(`end ${item}`);
    return item;
  });
  expect(results).toEqual([1, 2]);
  expect(events).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
});

test('others have their turns while a large batch of feedback is checked', async () => {
  const storage = openMemoryStorage();
  const payload = { list: Array.from({ length: 300 }, () => ({})) };
  const one = { project_id: 'a/b', svc_ref: 'svc:///a/b/call/c1', feedback_type: 't', payload };
  const caller = { keyId: 'key', userId: 'user', entities: new Set(['*']), mayImport: false };
  const context = { caller, limits: DEFAULT_LIMITS, depth: 10 };
  let turns = 0;
  let isOver = false;
  const countTurns = () => {
    turns += 1;
    if (!isOver) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const batch = Array.from({ length: 5000 }, () => one);
  await createFeedbackBatch(storage, batch, context, { key: undefined, makeId: () => `f${turns}-${Math.random()}` });
  isOver = true;
  expect(turns).toBeGreaterThan(1);
});
