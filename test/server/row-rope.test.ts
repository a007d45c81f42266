import { expect, test } from 'vitest';
import { digestTable } from '../../src/protocol/values/digest.ts';
import { DerivedDigest } from '../../src/server/ingest/objects/derived-digest.ts';
import { RowRope } from '../../src/server/ingest/objects/row-rope.ts';
import type { NewRow } from '../../src/storage/contract/tables.ts';
import { Random } from '../flow/chaos/random.ts';

const CHANGES = 2000;

const digestAt = (place: number) => `base-${place}`;
const rowOf = (change: number): NewRow => ({ digest: `new-${change}`, val: `{"n":${change}}` });

/** The digests of the rows that a rope stands for. */
function digestsOf(rope: RowRope): string[] {
  return rope
    .pieces()
    .flatMap((piece) =>
      'from' in piece
        ? Array.from({ length: piece.count }, (_, index) => digestAt(piece.from + index))
        : [piece.digest],
    );
}

/** Changes rows and an array of their digests in the same way; gives what went of each. */
function changeBoth(random: Random, length: number, chanceOfRemoval: number) {
  const array = Array.from({ length }, (_, place) => digestAt(place));
  const rope = new RowRope(length);
  const removed: { readonly fromRope: string; readonly fromArray: string | undefined }[] = [];
  const places: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    if (array.length > 0 && random.isTrue(chanceOfRemoval)) {
      const index = random.between(0, array.length - 1);
      const gone = rope.remove(index);
      if (typeof gone === 'number') places.push(gone);
      const fromRope = typeof gone === 'number' ? digestAt(gone) : gone.digest;
      removed.push({ fromRope, fromArray: array.splice(index, 1)[0] });
    } else {
      const index = random.isTrue(0.2) ? array.length : random.between(0, array.length);
      rope.insert(index, rowOf(change));
      array.splice(index, 0, rowOf(change).digest);
    }
  }
  return { rope, array, removed, places };
}

test.each([
  [0, 0.5],
  [1, 0.5],
  [999, 0.9],
  [3000, 0],
  [3000, 1],
  [5000, 0.5],
  [100_000, 0.3],
])('a rope of %i rows changes as an array does, with %d of removals', (length, chanceOfRemoval) => {
  const { rope, array, removed } = changeBoth(new Random(length), length, chanceOfRemoval);
  expect(rope.length).toBe(array.length);
  expect(removed.filter(({ fromRope, fromArray }) => fromRope !== fromArray)).toEqual([]);
  expect(digestsOf(rope).join(' ') === array.join(' ')).toBe(true);
  expect(rope.pieces().length).toBeLessThanOrEqual(2 * CHANGES + 1);
});

test('runs of a rope are in the order of the table, none of them empty and none beside the next', () => {
  const pieces = changeBoth(new Random(7), 10_000, 0.5).rope.pieces();
  let end = -1;
  for (const [index, piece] of pieces.entries()) {
    if (!('from' in piece)) continue;
    const before = pieces[index - 1];
    expect(piece.count).toBeGreaterThan(0);
    expect(piece.from).toBeGreaterThanOrEqual(end);
    expect(piece.from === end && before !== undefined && 'from' in before).toBe(false);
    end = piece.from + piece.count;
  }
});

test('changes that undo each other leave one run', () => {
  const rope = new RowRope(100);
  for (let index = 0; index < 100; index += 3) rope.insert(index, rowOf(index));
  for (let index = 99; index >= 0; index -= 3) rope.remove(index);
  expect(rope.pieces()).toEqual([{ from: 0, count: 100 }]);
});

test('a rope that was emptied takes rows again', () => {
  const rope = new RowRope(2500);
  for (let index = 0; index < 700; index++) rope.insert(index * 3, rowOf(index));
  while (rope.length > 0) rope.remove(0);
  expect(rope.pieces()).toEqual([]);
  rope.insert(0, rowOf(1));
  rope.insert(1, rowOf(2));
  rope.insert(0, rowOf(0));
  expect(rope.pieces()).toEqual([rowOf(0), rowOf(1), rowOf(2)]);
});

test('there is nothing to remove behind the last row', () => {
  expect(() => new RowRope(0).remove(0)).toThrow(RangeError);
  expect(() => new RowRope(5).remove(5)).toThrow(RangeError);
});

test.each([
  [0, 1, 0],
  [1, 1, 0.5],
  [500, 1, 1],
  [5000, 1, 0.5],
  [5000, 100, 0.5],
  [5000, 7, 0.9],
  [5000, 5000, 0.1],
])('the digest of %i changed rows is found in portions of %i', (length, portion, chanceOfRemoval) => {
  const { rope, array, places } = changeBoth(new Random(length + portion), length, chanceOfRemoval);
  const derived = new DerivedDigest(rope.pieces());
  const base = Array.from({ length }, (_, place) => digestAt(place));
  for (let from = 0; from < length; from += portion) derived.take(base.slice(from, from + portion));
  const { digest, gone } = derived.finish();
  expect(digest).toBe(digestTable(array));
  expect(gone).toEqual(new Map(places.map((place) => [place, digestAt(place)])));
});
