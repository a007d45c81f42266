import { LEAST_TRACES } from '../../../protocol/page/few-traces.ts';
import type { CallTraits } from '../../../storage/contract/traits.ts';
import type { Proportion } from './significance.ts';

/** Calls by their places among those of a side, ascending. */
export type Places = Uint32Array;

/**
 * Calls that were looked at on one side of a comparison. Those of one trace are alike: they share a user, a version, an input.
 * A trait that they share is no more evidence than one call would be, so calls count as many as vary independently.
 */
export class Side {
  readonly traits: CallTraits;
  readonly traceCount: number;
  /** Does each call count as one, whatever its trace? */
  readonly #areApart: boolean;
  /** By trace, how many of the calls it has. */
  readonly #sizes: Uint32Array;
  /** Of the hits of a trait, by trace; all are 0 between two looks. */
  readonly #hits: Uint32Array;
  readonly #sumOfSquares: number;

  constructor(traits: CallTraits, areApart = false) {
    this.traits = traits;
    this.#areApart = areApart;
    this.#sizes = sizesOf(traits.traces);
    this.traceCount = this.#sizes.length;
    this.#hits = new Uint32Array(this.traceCount);
    this.#sumOfSquares = this.#sizes.reduce((sum, size) => sum + size * size, 0);
  }

  get count(): number {
    return this.traits.count;
  }

  shareOf(places: Places): number {
    return this.count === 0 ? 0 : places.length / this.count;
  }

  /** The share of calls, told by as many calls as there are independent ones. */
  proportionOf(places: Places): Proportion {
    const effect = this.#areApart ? 1 : this.#designEffect(places);
    return { hits: places.length / effect, count: this.count / effect };
  }

  /**
   * How many calls of clusters tell as much as one call alone (Kish 1965): the variance of the share between traces, over that
   * of a share of independent calls. Where all calls or none have the trait nothing varies, and each trace counts as one.
   */
  #designEffect(places: Places): number {
    const [count, hits] = [this.count, places.length];
    if (hits === 0 || hits === count) return count === 0 ? 1 : this.#sumOfSquares / count;
    if (this.traceCount === 1) return count;
    const share = hits / count;
    const [squares, products] = this.#sumsOf(places);
    const between = squares - 2 * share * products + share * share * this.#sumOfSquares;
    const variance = (between * this.traceCount) / (this.traceCount - 1);
    return Math.min(count, Math.max(1, variance / (hits * (1 - share))));
  }

  /** Over all traces: squares of hits, and products of hits with sizes. */
  #sumsOf(places: Places): [squares: number, products: number] {
    const { traces } = this.traits;
    for (const place of places) {
      const trace = traces[place] ?? 0;
      this.#hits[trace] = (this.#hits[trace] ?? 0) + 1;
    }
    let [squares, products] = [0, 0];
    for (const place of places) {
      const trace = traces[place] ?? 0;
      const hits = this.#hits[trace] ?? 0;
      squares += hits * hits;
      products += hits * (this.#sizes[trace] ?? 0);
      this.#hits[trace] = 0;
    }
    return [squares, products];
  }
}

/** The sides of a comparison. Within a few traces nothing could be told of traces: there calls are compared. */
export function sidesOf(inside: CallTraits, outside: CallTraits): [inside: Side, outside: Side] {
  const sides: [Side, Side] = [new Side(inside), new Side(outside)];
  const areFew = sides.every(({ traceCount }) => traceCount < LEAST_TRACES);
  return areFew ? [new Side(inside, areFew), new Side(outside, areFew)] : sides;
}

function sizesOf(traces: Uint32Array): Uint32Array {
  const sizes = new Uint32Array(traces.reduce((most, trace) => Math.max(most, trace + 1), 0));
  for (const trace of traces) sizes[trace] = (sizes[trace] ?? 0) + 1;
  return sizes;
}
