import { commonSubsequence } from './common-subsequence.ts';

/** The calls of one level of a tree, in order, by two numbers each: equal ones mean equal things. */
export interface Level {
  /** Of op and inputs. */
  readonly keys: readonly number[];
  /** Of the op alone. */
  readonly names: readonly number[];
}

/** Indices of two calls that belong together; `undefined` where only the other side has one. */
export interface Aligned {
  readonly a: number | undefined;
  readonly b: number | undefined;
  /** The same call, at another place among the others. */
  readonly isMoved: boolean;
}

/**
 * Pairs the calls of two levels: first those of the same op with the same inputs that stand in the same order, then those
 * of them that stand elsewhere, then, between the first, those of the same op. Each call is in the result once, in the
 * order of its side; only moved ones stand where the second side has them.
 */
export function align(a: Level, b: Level): Aligned[] {
  const equal = commonSubsequence(a.keys, b.keys);
  const partners = new Map(equal.a.map((index, place) => [index, equal.b[place] ?? -1]));
  const taken = new Set(equal.b);
  const moved = movedPairs(a, b, { partners, taken });
  for (const [from, to] of gapsBetween(equal.a, equal.b, a.keys.length, b.keys.length)) {
    const inA = from.filter((index) => !moved.hasA(index));
    const inB = to.filter((index) => !moved.hasB(index));
    if (inA.length === 0 || inB.length === 0) continue;
    const named = commonSubsequence(
      inA.map((index) => a.names[index] ?? -1),
      inB.map((index) => b.names[index] ?? -1),
    );
    for (const [place, index] of named.a.entries()) partners.set(inA[index] ?? -1, inB[named.b[place] ?? -1] ?? -1);
  }
  return inOrder({ partners, moved, countA: a.keys.length, countB: b.keys.length });
}

interface Moved {
  readonly hasA: (index: number) => boolean;
  readonly hasB: (index: number) => boolean;
  /** By its index in the second side the one in the first. */
  readonly toA: ReadonlyMap<number, number>;
}

function movedPairs(
  a: Level,
  b: Level,
  { partners, taken }: { readonly partners: ReadonlyMap<number, number>; readonly taken: ReadonlySet<number> },
): Moved {
  const waiting = new Map<number, number[]>();
  for (const [index, key] of a.keys.entries()) {
    if (partners.has(index)) continue;
    const known = waiting.get(key);
    if (known) known.push(index);
    else waiting.set(key, [index]);
  }
  const next = new Map<number, number>();
  const toA = new Map<number, number>();
  for (const [index, key] of b.keys.entries()) {
    if (taken.has(index)) continue;
    const place = next.get(key) ?? 0;
    const other = waiting.get(key)?.[place];
    if (other === undefined) continue;
    next.set(key, place + 1);
    toA.set(index, other);
  }
  const inA = new Set(toA.values());
  return { hasA: (index) => inA.has(index), hasB: (index) => toA.has(index), toA };
}

/** The indices between the matches, and before the first and behind the last. */
function* gapsBetween(
  inA: readonly number[],
  inB: readonly number[],
  countA: number,
  countB: number,
): Generator<[number[], number[]]> {
  let [nextA, nextB] = [0, 0];
  for (let place = 0; place <= inA.length; place++) {
    const [endA, endB] = [inA[place] ?? countA, inB[place] ?? countB];
    if (nextA < endA && nextB < endB) yield [range(nextA, endA), range(nextB, endB)];
    nextA = endA + 1;
    nextB = endB + 1;
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_item, index) => from + index);
}

interface Paired {
  readonly partners: ReadonlyMap<number, number>;
  readonly moved: Moved;
  readonly countA: number;
  readonly countB: number;
}

function inOrder({ partners, moved, countA, countB }: Paired): Aligned[] {
  const aligned: Aligned[] = [];
  let nextB = 0;
  const tellB = (end: number) => {
    for (; nextB < end; nextB++) {
      const other = moved.toA.get(nextB);
      aligned.push({ a: other, b: nextB, isMoved: other !== undefined });
    }
  };
  for (let index = 0; index < countA; index++) {
    if (moved.hasA(index)) continue;
    const other = partners.get(index);
    if (other !== undefined) {
      tellB(other);
      nextB = other + 1;
    }
    aligned.push({ a: index, b: other, isMoved: false });
  }
  tellB(countB);
  return aligned;
}
