import { afterEach, describe, expect, test, vi } from 'vitest';
import { Backlog, type QueueLimits } from '../../src/delivery/queue/backlog.ts';
import type { Batch } from '../../src/delivery/batch/batch.ts';
import { end, start } from './call-records.ts';

const MIB = 1024 * 1024;

afterEach(() => void vi.restoreAllMocks());

function openBacklog(limits: QueueLimits = {}): Backlog {
  return new Backlog(limits, { onUnencodable: () => undefined, onSlice: () => undefined });
}

/** Pushes records of about a kilobyte each. */
function fill(backlog: Backlog, count: number): void {
  for (let n = 0; n < count; n++) backlog.push(start(`c${n}`, { text: 'x'.repeat(1000) }), n + 1);
}

function takeAll(backlog: Backlog): Batch[] {
  const batches: Batch[] = [];
  for (let batch = backlog.takeNow(); batch; batch = backlog.takeNow()) batches.push(batch);
  return batches;
}

test('it is full by items and by bytes', () => {
  const byItems = openBacklog({ items: 2 });
  byItems.push(start('a'), 1);
  expect(byItems.isFull).toBe(false);
  byItems.push(start('b'), 2);
  expect(byItems.isFull).toBe(true);
  const byBytes = openBacklog({ bytes: 1000 });
  fill(byBytes, 1);
  expect(byBytes.isFull).toBe(true);
  byBytes.takeNow();
  expect(byBytes).toMatchObject({ isFull: false, bytes: 0, count: 0 });
});

describe('what waits beyond a few kilobytes', () => {
  test('is encoded while it waits, and all of it is sent in batches', () => {
    const backlog = openBacklog();
    fill(backlog, 3000);
    expect(backlog).toMatchObject({ count: 3000, headSequence: 1, isWorthEncoding: true, hasFullBatch: true });
    while (backlog.encodeAhead());
    // One batch is full, and the next one has begun.
    expect(backlog).toMatchObject({ count: 3000, headSequence: 2049, isWorthEncoding: false, hasFullBatch: true });
    expect(backlog.bytes).toBeGreaterThan(3 * MIB);
    expect(takeAll(backlog).map(({ count }) => count)).toEqual([2048, 952]);
    expect(backlog).toMatchObject({ count: 0, bytes: 0, headSequence: undefined, hasFullBatch: false });
  });

  test('is encoded by whoever records when the turn that would do it never comes', () => {
    const backlog = openBacklog();
    for (let n = 1; n <= 20_000; n++) {
      backlog.push(start(`c${n}`, { text: 'x'.repeat(1000) }), n);
      backlog.keepUp(1150);
    }
    expect(backlog.count).toBe(20_000);
    expect(backlog.headSequence).toBeGreaterThan(14_000);
  });

  test('makes one batch for whoever asks for one, however much is encoded beside it', async () => {
    const backlog = openBacklog();
    fill(backlog, 12_000);
    // Each look at the clock is a slice later: the batch is far from made when the other encodes.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 5));
    const preparing = backlog.prepare();
    expect(backlog.headSequence).toBe(1);
    while (backlog.encodeAhead() && backlog.headSequence === 1);
    await preparing;
    expect(backlog.headSequence).toBe(2049);
  });

  test('keeps its order and loses nothing, whoever takes meanwhile and puts back', async () => {
    const backlog = openBacklog();
    fill(backlog, 20_000);
    const building = Promise.all([backlog.prepare(), backlog.prepare()]);
    backlog.encodeAhead();
    const first = backlog.takeNow();
    await backlog.prepare();
    const second = backlog.takeReady();
    await building;
    if (second) backlog.putBack(second);
    const taken = [...(first ? [first] : []), ...takeAll(backlog)].flatMap(({ sequence }) => sequence);
    expect(taken).toEqual(Array.from({ length: 20_000 }, (_, n) => n + 1));
    expect(backlog).toMatchObject({ count: 0, bytes: 0, hasFullBatch: false, headSequence: undefined });
  });

  test('full by the bytes of batches makes room by taking one', () => {
    const backlog = openBacklog({ bytes: 8 * MIB });
    while (!backlog.isFull) fill(backlog, 100);
    while (backlog.encodeAhead());
    while (!backlog.isFull) fill(backlog, 100);
    backlog.takeNow();
    expect(backlog.isFull).toBe(false);
  });
});

test('an empty one has no batch', async () => {
  const backlog = openBacklog();
  expect(backlog.takeNow()).toBeUndefined();
  await backlog.prepare();
  expect(backlog.takeReady()).toBeUndefined();
  backlog.push(end('a'), 1);
  expect(backlog.takeNow()?.count).toBe(1);
});
