/** Indices of two sequences whose items are equal: of the same length, both rising. */
export interface Matches {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/**
 * The items that two sequences have in common, in order, as many as there can be. Of sequences that differ in more than
 * five hundred places and repeat the same few items again and again it may be some less: the search for the most would take
 * the square of their length.
 */
export function commonSubsequence(a: readonly number[], b: readonly number[]): Matches {
  const match = new Int32Array(a.length).fill(-1);
  const start = equalFromStart(a, b);
  const end = equalFromEnd(a, b, start);
  for (let index = 0; index < start; index++) match[index] = index;
  for (let index = 1; index <= end; index++) match[a.length - index] = b.length - index;
  matchMiddle(middleOf(a, start, a.length - end), middleOf(b, start, b.length - end), match);
  const matched = [...match.keys()].filter((index) => at(match, index) >= 0);
  return { a: matched, b: matched.map((index) => at(match, index)) };
}

function equalFromStart(a: readonly number[], b: readonly number[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}

function equalFromEnd(a: readonly number[], b: readonly number[], start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

/** A part of a sequence, each item with its place in the whole. */
interface Part {
  readonly items: Int32Array;
  readonly places: Int32Array;
}

function middleOf(sequence: readonly number[], from: number, to: number): Part {
  const items = Int32Array.from(sequence.slice(from, to));
  return { items, places: items.map((_item, index) => from + index) };
}

/** So many pairs of equal items may there be for each item where every one is looked at. */
const PAIRS_PER_ITEM = 64;

function matchMiddle(wholeA: Part, wholeB: Part, match: Int32Array): void {
  // What the other side does not have cannot be common, and is most of what differs.
  const a = onlyThose(wholeA, new Set(wholeB.items));
  const b = onlyThose(wholeB, new Set(wholeA.items));
  const found = new Int32Array(a.items.length).fill(-1);
  const places = placesOf(b.items);
  const pairs = a.items.reduce((sum, item) => sum + (places.get(item)?.length ?? 0), 0);
  if (pairs <= PAIRS_PER_ITEM * (a.items.length + b.items.length)) matchByPairs(a.items, { places, pairs }, found);
  else matchByDistance(a.items, b.items, found);
  for (const [index, other] of found.entries()) {
    if (other >= 0) match[at(a.places, index)] = at(b.places, other);
  }
}

function onlyThose({ items, places }: Part, known: ReadonlySet<number>): Part {
  const kept = places.filter((_place, index) => known.has(at(items, index)));
  return { items: items.filter((item) => known.has(item)), places: kept };
}

function placesOf(items: Int32Array): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, number[]>();
  for (const [index, item] of items.entries()) {
    const known = places.get(item);
    if (known) known.push(index);
    else places.set(item, [index]);
  }
  return places;
}

interface Pairs {
  /** Of each item in the second sequence. */
  readonly places: ReadonlyMap<number, readonly number[]>;
  /** How many there are. */
  readonly pairs: number;
}

/** By Hunt and Szymanski: the longest rising chain of the pairs of equal items. */
function matchByPairs(a: Int32Array, { places, pairs }: Pairs, found: Int32Array): void {
  const [inA, inB, before] = [new Int32Array(pairs), new Int32Array(pairs), new Int32Array(pairs)];
  /** For each length the chain that ends first. */
  const ends: number[] = [];
  let count = 0;
  for (const [index, item] of a.entries()) {
    // From the last one on: no chain may take two pairs of one item.
    for (const place of (places.get(item) ?? []).toReversed()) {
      const length = firstNotBelow(ends, inB, place);
      const end = ends[length];
      if (end !== undefined && at(inB, end) === place) continue;
      inA[count] = index;
      inB[count] = place;
      before[count] = ends[length - 1] ?? -1;
      ends[length] = count;
      count += 1;
    }
  }
  for (let pair = ends.at(-1) ?? -1; pair >= 0; pair = at(before, pair)) found[at(inA, pair)] = at(inB, pair);
}

/** How many of the ends lie before a place; they rise. */
function firstNotBelow(ends: readonly number[], inB: Int32Array, place: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(inB, ends[middle] ?? -1) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Half of the differences that are looked for at most before what is found so far is taken. */
const MAX_DISTANCE = 256;
/** Stands for a place that cannot be reached. */
const NOWHERE = -1;

/** Parts of two sequences: from the first up to, and without, the last. */
interface Box {
  fromA: number;
  toA: number;
  fromB: number;
  toB: number;
}

/** By Myers, from both ends in linear space: each box is cut where the two ways meet. */
function matchByDistance(a: Int32Array, b: Int32Array, found: Int32Array): void {
  // An explicit stack: there may be as many boxes as items.
  const open: Box[] = [{ fromA: 0, toA: a.length, fromB: 0, toB: b.length }];
  const ways = { forward: wayThrough(a, b), backward: wayThrough(a.toReversed(), b.toReversed()) };
  for (let box = open.pop(); box; box = open.pop()) {
    while (box.fromA < box.toA && box.fromB < box.toB && a[box.fromA] === b[box.fromB]) {
      found[box.fromA++] = box.fromB++;
    }
    while (box.fromA < box.toA && box.fromB < box.toB && a[box.toA - 1] === b[box.toB - 1]) {
      found[--box.toA] = --box.toB;
    }
    if (box.fromA === box.toA || box.fromB === box.toB) continue;
    enter(ways.forward, box.fromA, box.fromB, box);
    enter(ways.backward, a.length - box.toA, b.length - box.toB, box);
    const { x, y } = meetingPoint(ways);
    open.push({ ...box, toA: box.fromA + x, toB: box.fromB + y });
    open.push({ ...box, fromA: box.fromA + x, fromB: box.fromB + y });
  }
}

/** A walk through a box from one of its corners. */
interface Way {
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** How far each diagonal `x - y` was walked in `x`, by its number and `ORIGIN`. */
  readonly reached: Int32Array;
  fromA: number;
  fromB: number;
  width: number;
  height: number;
}

const ORIGIN = MAX_DISTANCE + 1;

function wayThrough(a: Int32Array, b: Int32Array): Way {
  return { a, b, reached: new Int32Array(2 * ORIGIN + 1), fromA: 0, fromB: 0, width: 0, height: 0 };
}

function enter(way: Way, fromA: number, fromB: number, box: Box): void {
  way.fromA = fromA;
  way.fromB = fromB;
  way.width = box.toA - box.fromA;
  way.height = box.toB - box.fromB;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A point in the box on a shortest way; of a very long one the point that was got farthest. */
function meetingPoint({ forward, backward }: { readonly forward: Way; readonly backward: Way }): Point {
  const { width, height } = forward;
  const shift = width - height;
  const isOdd = (shift & 1) !== 0;
  for (let distance = 0; distance <= MAX_DISTANCE; distance++) {
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const x = walk(forward, distance, diagonal);
      const other = shift - diagonal;
      if (!isOdd || x < 0 || Math.abs(other) >= distance) continue;
      const rest = at(backward.reached, other + ORIGIN);
      if (rest >= 0 && x + rest >= width) return { x, y: x - diagonal };
    }
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const x = walk(backward, distance, diagonal);
      const other = shift - diagonal;
      if (isOdd || x < 0 || Math.abs(other) > distance) continue;
      const rest = at(forward.reached, other + ORIGIN);
      if (rest >= 0 && x + rest >= width) return { x: width - x, y: height - (x - diagonal) };
    }
  }
  return farthest(forward.reached);
}

/** One more difference, then as far as items are equal; the place in `x` that is reached, or `NOWHERE`. */
function walk(way: Way, distance: number, diagonal: number): number {
  const { a, b, reached, fromA, fromB, width, height } = way;
  const index = diagonal + ORIGIN;
  // Of the step before there is nothing beyond its outermost diagonals.
  const left = diagonal - 1 < 1 - distance ? NOWHERE : at(reached, index - 1);
  const right = diagonal + 1 > distance - 1 ? NOWHERE : at(reached, index + 1);
  const across = left >= 0 && left < width ? left + 1 : NOWHERE;
  const down = right >= 0 && right - diagonal <= height ? right : NOWHERE;
  let x = distance === 0 ? 0 : across > down ? across : down;
  if (x >= 0) while (x < width && x - diagonal < height && a[fromA + x] === b[fromB + x - diagonal]) x += 1;
  reached[index] = x;
  return x;
}

function farthest(forward: Int32Array): Point {
  let best: Point = { x: 0, y: 0 };
  for (let diagonal = -MAX_DISTANCE; diagonal <= MAX_DISTANCE; diagonal += 2) {
    const x = at(forward, diagonal + ORIGIN);
    if (x >= 0 && 2 * x - diagonal > best.x + best.y) best = { x, y: x - diagonal };
  }
  return best;
}

/** An item of an array at an index that is in it. */
function at(items: Int32Array, index: number): number {
  return items[index] ?? NOWHERE;
}
