/** The percentile of sorted microseconds in milliseconds, on the straight line between its two neighbours; null of none. */
export function quantileMs(sorted: ArrayLike<number>, percent: number): number | null {
  return quantileOf(sorted.length, percent, (rank) => sorted[rank] ?? 0);
}

/** The same of numbers in no order, none below 0. A million are not sorted: only those near the rank are. */
export function quantilesMs(numbers: Float64Array, percents: readonly number[]): (number | null)[] {
  const ranked = new RankedNumbers(numbers);
  return percents.map((percent) => quantileOf(numbers.length, percent, (rank) => ranked.at(rank)));
}

/** The percentile of so many numbers in microseconds, of which those at some ranks are asked for. */
export function quantileOf(count: number, percent: number, at: (rank: number) => number): number | null {
  if (count === 0) return null;
  // Hundredths are whole numbers, so that nothing is rounded before the last step.
  const position = percent * (count - 1);
  const below = at(Math.floor(position / 100));
  const above = at(Math.ceil(position / 100));
  return (below * 100 + (above - below) * (position % 100)) / 100_000;
}

/** Parts of each power of two. */
const PARTS = 64;
const BUCKETS = 64 * PARTS;

/** Numbers by their ranks, found in buckets that grow with the numbers. */
class RankedNumbers {
  readonly #numbers: Float64Array;
  readonly #counts = new Uint32Array(BUCKETS);
  readonly #buckets: Uint16Array;
  readonly #sorted = new Map<number, Float64Array>();

  constructor(numbers: Float64Array) {
    this.#numbers = numbers;
    this.#buckets = new Uint16Array(numbers.length);
    for (let index = 0; index < numbers.length; index++) {
      const bucket = Math.min(BUCKETS - 1, Math.floor(Math.log2((numbers[index] ?? 0) + 1) * PARTS));
      this.#buckets[index] = bucket;
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    }
  }

  at(rank: number): number {
    let before = 0;
    for (const [bucket, count] of this.#counts.entries()) {
      if (rank < before + count) return this.#sortedBucket(bucket)[rank - before] ?? 0;
      before += count;
    }
    return 0;
  }

  #sortedBucket(bucket: number): Float64Array {
    const known = this.#sorted.get(bucket);
    if (known !== undefined) return known;
    const found = new Float64Array(this.#counts[bucket] ?? 0);
    let length = 0;
    for (let index = 0; index < this.#numbers.length; index++) {
      if (this.#buckets[index] === bucket) found[length++] = this.#numbers[index] ?? 0;
    }
    const sorted = found.sort();
    this.#sorted.set(bucket, sorted);
    return sorted;
  }
}
