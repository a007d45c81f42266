import { expect, test } from 'vitest';
import type { TreeItem } from '../../src/cli/output/tree.ts';
import { callsOf, treeBelow, treesOf } from '../../src/cli/trace-tree.ts';
import type { Call } from '../../src/protocol/call.ts';
import { callOf } from './call-of.ts';

const calls = (...pairs: [id: string, parent: string | null][]) =>
  pairs.map(([id, parent_id]) => callOf({ id, parent_id }));

type Shape = [string, ...Shape[]];
const shape = ({ value, children }: TreeItem<Call>): Shape => [value.id, ...children.map(shape)];
const shapes = (...pairs: [string, string | null][]) => treesOf(calls(...pairs)).map(shape);

test('calls hang under their parents in the order given', () => {
  expect(shapes(['a', null], ['c', 'b'], ['b', 'a'], ['d', 'a'])).toEqual([['a', ['b', ['c']], ['d']]]);
});

test('a call whose parent is not there is a root', () => {
  expect(shapes(['a', null], ['b', 'gone'])).toEqual([['a'], ['b']]);
});

test('a call that is its own parent is a root', () => {
  expect(shapes(['a', 'a'], ['b', 'a'])).toEqual([['a', ['b']]]);
});

test('calls that are their own ancestors are each in one tree', () => {
  expect(shapes(['r', null], ['a', 'c'], ['b', 'a'], ['c', 'b'], ['d', 'c'])).toEqual([
    ['r'],
    ['a', ['b', ['c', ['d']]]],
  ]);
  expect(shapes(['below', 'b'], ['a', 'b'], ['b', 'a'])).toEqual([['below'], ['a', ['b']]]);
});

test('the part below a call is found', () => {
  const roots = treesOf(calls(['a', null], ['b', 'a'], ['c', 'b'], ['d', 'a']));
  const tree = treeBelow(roots, 'b');
  expect(tree && callsOf(tree).map(({ id }) => id)).toEqual(['b', 'c']);
  expect(treeBelow(roots, 'nope')).toBeUndefined();
});

test('100,000 calls in a chain make one tree', () => {
  const chain = Array.from({ length: 100_000 }, (_, index): [string, string | null] => [
    `c${index}`,
    index === 0 ? null : `c${index - 1}`,
  ]);
  const roots = treesOf(calls(...chain));
  expect(roots).toHaveLength(1);
  expect(roots.flatMap(callsOf)).toHaveLength(100_000);
});
