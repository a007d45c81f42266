import { expect, test } from 'vitest';
import { Batch } from '../../src/delivery/batch/batch.ts';
import { Batcher, MAX_BATCH_BYTES, MAX_BATCH_ITEMS } from '../../src/delivery/batch/batcher.ts';
import { Queue } from '../../src/delivery/queue/queue.ts';
import type { CallRecord } from '../../src/protocol/record.ts';
import { end, start } from './call-records.ts';

function batcherOf(records: readonly CallRecord[]) {
  const queue = new Queue();
  for (const [index, record] of records.entries()) queue.push(record, index + 1);
  const lost: (string | undefined)[] = [];
  const slices: number[] = [];
  const batcher = new Batcher(queue, {
    onUnencodable: (_sequence, id) => lost.push(id),
    onSlice: (milliseconds) => slices.push(milliseconds),
  });
  return { queue, batcher, lost, slices };
}

async function build(batcher: Batcher): Promise<Batch> {
  while (!batcher.encodeSlice()) await new Promise((resolve) => setImmediate(resolve));
  return batcher.take() ?? new Batch(Buffer.alloc(0), []);
}

function itemsOf(batch: Batch): { mode: string; req: Record<string, { id: string }> }[] {
  return (JSON.parse(batch.body().toString()) as { batch: ReturnType<typeof itemsOf> }).batch;
}

test('a batch is the body of /call/upsert_batch', async () => {
  const { batcher } = batcherOf([start('c1', { text: 'line\nbreak, "quote" and ü\ud800' }), end('c1')]);
  const batch = await build(batcher);
  expect(itemsOf(batch).map(({ mode, req }) => [mode, Object.keys(req), req[mode]?.id])).toEqual([
    ['start', ['start'], 'c1'],
    ['end', ['end'], 'c1'],
  ]);
  expect(batch.sequence).toEqual([1, 2]);
  expect(batch.firstId()).toBe('c1');
});

test('a batch has at most 2,048 items', async () => {
  const { batcher, queue } = batcherOf(Array.from({ length: MAX_BATCH_ITEMS + 1 }, (_, i) => start(`c${i}`)));
  expect((await build(batcher)).count).toBe(MAX_BATCH_ITEMS);
  expect(queue.length).toBe(1);
});

test('a batch has at most 4 MiB, but a larger record goes alone', async () => {
  const text = 'x'.repeat(1024 * 1024);
  const { batcher } = batcherOf(
    [...'abcdefg'].map((id) => start(id, { text })).concat(start('big', { text: text.repeat(5) })),
  );
  const sizes = [];
  for (let batch = await build(batcher); batch.count > 0; batch = await build(batcher)) sizes.push(batch);
  expect(sizes.map(({ count }) => count)).toEqual([3, 3, 1, 1]);
  for (const batch of sizes.slice(0, 3)) expect(batch.content.length).toBeLessThanOrEqual(MAX_BATCH_BYTES);
});

test('the caller gets its turn back before a large batch is built', async () => {
  const text = 'x'.repeat(900_000);
  const { batcher, slices } = batcherOf(Array.from({ length: 4 }, (_, i) => start(`c${i}`, { text })));
  let isBuilt = false;
  const building = build(batcher).then((batch) => {
    isBuilt = true;
    return batch;
  });
  expect(isBuilt).toBe(false);
  expect((await building).count).toBe(4);
  expect(slices.every((milliseconds) => milliseconds >= 0)).toBe(true);
});

test('a batch built at the end holds what an interrupted one began', async () => {
  const { batcher } = batcherOf(Array.from({ length: 400 }, (_, i) => start(`c${i}`, { text: 'x'.repeat(9000) })));
  const interrupted = build(batcher);
  const ids: string[] = [];
  for (let batch = batcher.buildNow(); batch; batch = batcher.buildNow()) {
    ids.push(...itemsOf(batch).map(({ req }) => req['start']?.id ?? ''));
  }
  expect(ids).toEqual(Array.from({ length: 400 }, (_, i) => `c${i}`));
  expect((await interrupted).count).toBe(0);
});

test('a record without JSON text takes no other with it', async () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const bad: CallRecord = {
    kind: 'end',
    end: {
      project_id: 'a/b',
      id: 'bad',
      ended_at: '',
      output: circular,
      summary: { status_counts: { success: 1, error: 0 } },
    },
    bytes: 1,
  };
  const { batcher, lost } = batcherOf([start('a'), bad, start('b')]);
  const batch = await build(batcher);
  expect(itemsOf(batch).map(({ req }) => req['start']?.id)).toEqual(['a', 'b']);
  expect(batch.sequence).toEqual([1, 3]);
  expect(lost).toEqual(['bad']);
});

test('halves and spool lines of a batch hold its items', async () => {
  const { batcher } = batcherOf([start('a', { text: ',\n' }), start('b'), end('a')]);
  const batch = await build(batcher);
  const [first, second] = batch.split();
  expect([first, second].flatMap(itemsOf)).toEqual(itemsOf(batch));
  expect([first.sequence, second.sequence]).toEqual([[1], [2, 3]]);
  const lines = batch.content.toString().split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(itemsOf(batch));
});

test('where nothing waits nothing is taken', () => {
  const { batcher } = batcherOf([]);
  expect(batcher.take()).toBeUndefined();
  expect(batcher.buildNow()).toBeUndefined();
});
