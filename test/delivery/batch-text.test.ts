import { array, assert, boolean, nat, property, record as object } from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Batch } from '../../src/delivery/batch/batch.ts';
import { BatchText } from '../../src/delivery/batch/batch-text.ts';
import { end, start } from './call-records.ts';

/** Too large for the memory that is taken for a small batch. */
const LARGE = 'x'.repeat(100_000);

const asText = (item: unknown) => JSON.stringify(item);
const idsIn = (lines: string[]) => lines.map((line) => /"id":"(\w+)"/.exec(line)?.[1]);
const idsOf = (batch: Batch) => idsIn(batch.content.toString().trimEnd().split('\n'));

test('memory of batches that are done is used again, and never that of others', () => {
  const step = object({ items: nat(40), text: nat(4000), isSent: boolean(), isReleased: boolean() });
  assert(
    property(array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const text = new BatchText();
      const kept: [Batch, string[]][] = [];
      const sent: unknown[] = [];
      const wanted: string[][] = [];
      for (const [at, { items, text: length, isSent, isReleased }] of steps.entries()) {
        const ids = Array.from({ length: items + 1 }, (_, index) => `c${at}x${index}`);
        for (const id of ids) text.append(start(id, { text: 'ü'.repeat(length) }));
        const batch = text.take(ids.map((_, index) => index));
        expect(idsOf(batch)).toEqual(ids);
        if (isSent) sent.push(idsIn(JSON.parse(batch.body().toString()).batch.map(asText)));
        if (isSent) wanted.push(ids);
        if (isReleased) batch.release('answered');
        else kept.push([batch, ids]);
        for (const [other, expected] of kept) expect(idsOf(other)).toEqual(expected);
      }
      expect(sent).toEqual(wanted);
    }),
    { numRuns: 200 },
  );
});

test('a batch that a request without an answer may be reading keeps its memory', () => {
  const text = new BatchText();
  text.append(start('first', { text: LARGE }));
  const first = text.take([1]);
  const body = first.body();
  first.release('written');
  text.append(end('other', { text: LARGE }));
  text.take([2]);
  expect(body.toString()).toContain('"id":"first"');
});

test('the lines of a segment stay lines when they have been the body of a request', () => {
  const text = new BatchText();
  for (const id of ['a', 'b', 'c']) text.append(end(id));
  const batch = text.take([1, 2, 3]);
  const before = Buffer.from(batch.content);
  const body = batch.body().toString();
  expect(batch.content).toEqual(before);
  expect(batch.body().toString()).toBe(body);
  expect(idsIn(JSON.parse(body).batch.map(asText))).toEqual(['a', 'b', 'c']);
});

test('a batch after one of the same size is in the same memory, whether or not there was nothing to take between them', () => {
  const text = new BatchText();
  const memories = [1, 2, 3].map((sequence) => {
    text.append(end('x', { text: LARGE }));
    const batch = text.take([sequence]);
    const { buffer } = batch.body();
    batch.release('answered');
    return buffer;
  });
  expect(memories[1]).toBe(memories[0]);
  expect(memories[2]).toBe(memories[0]);
});

test('memory in which a batch has grown is not used for ever: batches after it need no copy', () => {
  const text = new BatchText();
  const memories = [1, 2, 3, 4].map((sequence) => {
    for (let n = 0; n < 100; n++) {
      text.append(end('x', { text: 'x'.repeat(1000) }));
      text.joinWhenLong();
    }
    const batch = text.take([sequence]);
    const { buffer } = batch.body();
    batch.release('answered');
    return buffer;
  });
  expect(memories[2]).toBe(memories[1]);
  expect(memories[3]).toBe(memories[1]);
});

test('of large memory nothing is kept when batches have become small', () => {
  const text = new BatchText();
  text.append(end('x', { text: LARGE }));
  const large = text.take([1]);
  const memory = large.body().buffer;
  large.release('answered');
  const later = Array.from({ length: 12 }, (_, sequence) => {
    text.append(end('x'));
    return text.take([sequence]).body().buffer;
  });
  expect(later).not.toContain(memory);
  text.append(end('x', { text: LARGE }));
  expect(text.take([2]).body().buffer).not.toBe(memory);
});

test('memory that cannot be had loses nothing', () => {
  const text = new BatchText();
  const ids = Array.from({ length: 60 }, (_, n) => `c${n}`);
  for (const id of ids) text.append(end(id, { text: 'x'.repeat(1000) }));
  const allocate = vi.spyOn(Buffer, 'allocUnsafe').mockImplementationOnce(() => {
    throw new RangeError('Array buffer allocation failed');
  });
  expect(() => text.joinWhenLong()).toThrow(RangeError);
  allocate.mockRestore();
  text.joinWhenLong();
  expect(idsOf(text.take(ids.map((_, n) => n)))).toEqual(ids);
});
