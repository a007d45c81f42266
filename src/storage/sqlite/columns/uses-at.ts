import { SEGMENT_CALLS, type SegmentColumns } from './segment-columns.ts';

/** Finds the uses of models of a call by its place in its segment. */
export class UsesAt {
  readonly #places: Uint16Array;
  /** The first use of the call at each place; those of a call follow each other. */
  readonly #first = new Uint32Array(SEGMENT_CALLS);

  constructor({ usagePlaces }: SegmentColumns) {
    this.#places = usagePlaces;
    for (let use = usagePlaces.length - 1; use >= 0; use--) this.#first[usagePlaces[use] ?? 0] = use;
  }

  isFirst(use: number): boolean {
    return this.#first[this.#places[use] ?? 0] === use;
  }

  of(place: number): number[] {
    const uses: number[] = [];
    for (let use = this.#first[place] ?? 0; this.#places[use] === place; use++) uses.push(use);
    return uses;
  }
}
