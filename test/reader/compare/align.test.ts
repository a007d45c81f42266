import { array, assert, constantFrom, nat, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { align, type Aligned, type Level } from '../../../src/reader/compare/align.ts';

/** Calls as `name` and `name.input`. */
function levelOf(calls: readonly string[]): Level {
  const numberOf = (text: string) => [...text].reduce((sum, char) => sum * 64 + (char.codePointAt(0) ?? 0) - 40, 0);
  return { keys: calls.map(numberOf), names: calls.map((call) => numberOf(call.split('.')[0] ?? '')) };
}

function told(a: readonly string[], b: readonly string[]): string[] {
  return align(levelOf(a), levelOf(b)).map((pair) => {
    const [one, other] = [pair.a === undefined ? '-' : a[pair.a], pair.b === undefined ? '-' : b[pair.b]];
    return `${one} ${other}${pair.isMoved ? ' moved' : ''}`;
  });
}

test('calls of the same op with the same inputs are paired before those of the same op', () => {
  expect(told(['f.1', 'f.2', 'g.1'], ['f.2', 'g.9'])).toEqual(['f.1 -', 'f.2 f.2', 'g.1 g.9']);
  expect(told(['f.1', 'g.1'], ['f.2', 'h.1', 'g.1'])).toEqual(['f.1 f.2', '- h.1', 'g.1 g.1']);
});

test('a call at another place is moved, and stands where it is now', () => {
  expect(told(['f.1', 'g.1', 'h.1'], ['g.1', 'h.1', 'f.1'])).toEqual(['g.1 g.1', 'h.1 h.1', 'f.1 f.1 moved']);
});

const level = array(
  tuple(constantFrom('f', 'g', 'h'), nat(3)).map(([name, input]) => `${name}.${input}`),
  { maxLength: 25 },
);

function rising(indices: readonly (number | undefined)[]): boolean {
  const given = indices.filter((index) => index !== undefined);
  return given.every((index, place) => place === 0 || index > (given[place - 1] ?? 0));
}

test('each call is there once, in the order of its side; equal calls are never left alone', () => {
  assert(
    property(level, level, (a, b) => {
      const pairs = align(levelOf(a), levelOf(b));
      const indices = (side: 'a' | 'b') => pairs.flatMap((pair) => pair[side] ?? []).toSorted((x, y) => x - y);
      expect(indices('a')).toEqual([...a.keys()]);
      expect(indices('b')).toEqual([...b.keys()]);
      const inPlace = pairs.filter(({ isMoved }) => !isMoved);
      expect(rising(inPlace.map((pair) => pair.a))).toBe(true);
      expect(rising(pairs.map((pair) => pair.b))).toBe(true);
      for (const pair of pairs.filter(({ isMoved }) => isMoved)) expect(a[pair.a ?? -1]).toBe(b[pair.b ?? -1]);
      expect(isEach(pairs, a, b)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

/** Of no call is there one on each side that has not its like; what is paired is of the same op. */
function isEach(pairs: readonly Aligned[], a: readonly string[], b: readonly string[]): boolean {
  const nameIn = (call: string | undefined) => call?.split('.')[0];
  const isOfOneOp = pairs.every((pair) => {
    return pair.a === undefined || pair.b === undefined || nameIn(a[pair.a]) === nameIn(b[pair.b]);
  });
  const unequal = pairs.filter((pair) => a[pair.a ?? -1] !== b[pair.b ?? -1]);
  const leftInA = new Set(unequal.flatMap((pair) => a[pair.a ?? -1] ?? []));
  return isOfOneOp && unequal.every((pair) => !leftInA.has(b[pair.b ?? -1] ?? ''));
}

test('a level is paired with itself one by one', () => {
  assert(
    property(level, (calls) => {
      const pairs = align(levelOf(calls), levelOf(calls));
      expect(pairs).toEqual(calls.map((_call, index) => ({ a: index, b: index, isMoved: false })));
    }),
  );
});
