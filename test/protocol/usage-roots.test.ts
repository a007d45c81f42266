import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { usageRoots } from '../../src/protocol/usage-roots.ts';

interface Node {
  readonly id: string;
  readonly parent_id: string | null;
  readonly isUser: boolean;
}

const rootsOf = (nodes: readonly Node[]) => usageRoots(nodes, ({ isUser }) => isUser).map(({ id }) => id);

test('of calls with usage one above the other the topmost counts, also with others between them', () => {
  const nodes: Node[] = [
    { id: 'root', parent_id: 'elsewhere', isUser: false },
    { id: 'agent', parent_id: 'root', isUser: true },
    { id: 'step', parent_id: 'agent', isUser: false },
    { id: 'chat', parent_id: 'step', isUser: true },
    { id: 'other', parent_id: 'root', isUser: true },
  ];
  expect(rootsOf(nodes)).toEqual(['agent', 'other']);
  expect(rootsOf(nodes.toReversed())).toEqual(['other', 'agent']);
});

test('calls that are their own ancestors end the search', () => {
  expect(rootsOf([{ id: 'a', parent_id: 'a', isUser: true }])).toEqual(['a']);
  const loop = [...'abc'].map((id, index) => ({ id, parent_id: 'bca'[index] ?? null, isUser: id === 'a' }));
  expect(rootsOf(loop)).toEqual(['a']);
});

test('a deep trace takes one walk', () => {
  const nodes = Array.from({ length: 200_000 }, (_value, index) => ({
    id: String(index),
    parent_id: index === 0 ? null : String(index - 1),
    isUser: index > 199_000,
  }));
  expect(rootsOf(nodes.toReversed())).toEqual(['199001']);
});

test('no call that counts is below another, and none with usage is left out', () => {
  const node = (index: number) =>
    fc.record({
      id: fc.constant(String(index)),
      parent_id: index === 0 ? fc.constant(null) : fc.nat(index - 1).map(String),
      isUser: fc.boolean(),
    });
  const tree = fc
    .integer({ min: 1, max: 40 })
    .chain((size) => fc.tuple(...Array.from({ length: size }, (_v, i) => node(i))));
  fc.assert(
    fc.property(tree, fc.infiniteStream(fc.nat()), (nodes, order) => {
      const shuffled = nodes
        .map((each) => ({ each, key: order.next().value as number }))
        .sort((left, right) => left.key - right.key)
        .map(({ each }) => each);
      const byId = new Map(nodes.map((each) => [each.id, each]));
      const above = ({ parent_id }: Node): Node[] => {
        const parent = parent_id === null ? undefined : byId.get(parent_id);
        return parent ? [parent, ...above(parent)] : [];
      };
      const expected = nodes.filter((each) => each.isUser && !above(each).some(({ isUser }) => isUser));
      expect(new Set(rootsOf(shuffled))).toEqual(new Set(expected.map(({ id }) => id)));
    }),
  );
});
