import { expect, test } from 'vitest';
import { PieceList } from '../../src/server/ingest/objects/piece-list.ts';
import { Random } from '../flow/chaos/random.ts';

test.each([0, 1, 999, 1000, 1001, 5000])('a list of %i changes as an array does', (length) => {
  const random = new Random(length);
  const array = Array.from({ length }, (_, index) => index);
  const list = new PieceList(array);
  const removed: (number | undefined)[][] = [];
  for (let item = 0; item < 3000; item++) {
    if (array.length > 0 && random.isTrue(0.5)) {
      const index = random.between(0, array.length - 1);
      removed.push([list.remove(index), array.splice(index, 1)[0]]);
    } else {
      const index = random.between(0, array.length);
      list.insert(index, -item);
      array.splice(index, 0, -item);
    }
    expect(list.length).toBe(array.length);
  }
  expect(removed.map(([left]) => left)).toEqual(removed.map(([, right]) => right));
  expect(list.toArray()).toEqual(array);
});

test('a list that was emptied takes items again', () => {
  const list = new PieceList(Array.from({ length: 2500 }, (_, index) => index));
  while (list.length > 0) list.remove(0);
  list.insert(0, 1);
  list.insert(1, 2);
  expect(list.toArray()).toEqual([1, 2]);
});
