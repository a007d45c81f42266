import type { CallOutline, ModelUsage } from '../../contract/overviews.ts';
import { noTokens, TOKEN_KINDS } from '../../values/overviews/call-usage.ts';
import type { TracedCall } from '../../values/overviews/trace-columns.ts';
import type { KeptColumns } from './kept-columns.ts';
import {
  COLUMN_STATUSES,
  IS_KIND_TEXT,
  PLACE_MASK,
  SEGMENT_CALLS,
  statusAt,
  type SegmentColumns,
} from './segment-columns.ts';
import { UsesAt } from './uses-at.ts';

/** The members of a call of a trace that columns know. */
type KnownByColumns = Pick<TracedCall, 'started_at' | 'ended_at' | 'status' | 'kind' | 'first_chunk_ms' | 'usages'>;

/** Segments that are looked at again soon: calls that started one after the other are in few. */
const MAX_SEGMENTS = 8;

/** The segments in which the calls of a trace are, at one moment. */
export class TracedSegments {
  readonly #kept: KeptColumns;
  readonly #segments = new Map<number, TracedSegment>();

  constructor(kept: KeptColumns) {
    this.#kept = kept;
  }

  callOf(key: number): KnownByColumns {
    const number = Math.floor(key / SEGMENT_CALLS);
    let segment = this.#segments.get(number);
    if (segment === undefined) {
      const changes = this.#kept.segmentAt(number)?.changes ?? -1;
      segment = new TracedSegment(this.#kept.columnsOf({ number, changes }));
      const [oldest] = this.#segments.keys();
      if (oldest !== undefined && this.#segments.size >= MAX_SEGMENTS) this.#segments.delete(oldest);
      this.#segments.set(number, segment);
    }
    return segment.callAt(key & PLACE_MASK);
  }
}

class TracedSegment {
  readonly #columns: SegmentColumns;
  readonly #uses: UsesAt;
  readonly #firstChunks: ReadonlyMap<number, number>;

  constructor(columns: SegmentColumns) {
    this.#columns = columns;
    this.#uses = new UsesAt(columns);
    this.#firstChunks = new Map(
      Array.from(columns.chunkPlaces, (place, index) => [place, columns.chunkMs[index] ?? 0]),
    );
  }

  callAt(place: number): KnownByColumns {
    const columns = this.#columns;
    const endedAt = columns.endedAt[place] ?? Number.NaN;
    return {
      started_at: columns.startedAt[place] ?? 0,
      ended_at: Number.isNaN(endedAt) ? null : endedAt,
      status: COLUMN_STATUSES[statusAt(columns, place)] ?? 'running',
      kind: this.#kindAt(place),
      first_chunk_ms: this.#firstChunks.get(place) ?? null,
      usages: this.#uses.of(place).map((use) => this.#usage(use)),
    };
  }

  #kindAt(place: number): CallOutline['kind'] {
    const { flags, texts, lists } = this.#columns;
    return ((flags[place] ?? 0) & IS_KIND_TEXT) === 0 ? null : (lists.kind[texts.kind[place] ?? 0] ?? null);
  }

  #usage(use: number): ModelUsage {
    const { sources, usageSources, usageTokens } = this.#columns;
    const tokens = noTokens();
    const first = use * TOKEN_KINDS.length;
    for (const [offset, kind] of TOKEN_KINDS.entries()) tokens[kind] = usageTokens[first + offset] ?? 0;
    const { model = '', provider = null, host = null } = sources[usageSources[use] ?? 0] ?? {};
    return { model, provider, host, tokens };
  }
}
