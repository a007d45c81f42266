import type { CallStatus } from '../../../protocol/call.ts';
import { TOKEN_KINDS } from '../../values/overviews/call-usage.ts';

/** Calls of a segment: the last bits of the number of a call are its place there. */
export const SEGMENT_BITS = 12;
export const SEGMENT_CALLS = 1 << SEGMENT_BITS;
export const PLACE_MASK = SEGMENT_CALLS - 1;

/** The parent of a call that was not stored when the columns were made. */
export const UNKNOWN_PARENT = 0xffff_ffff;

export const IS_ERROR = 1;
export const HAS_CHILD_ERRORS = 2;
export const IS_ROOT = 4;
/** Its kind is a text, and not a number that is counted as one. */
export const IS_KIND_TEXT = 8;

/**
 * Columns of texts: places in the list of their name, 0 for none. `user` sent the call, `userAttribute` is what it says; `run` is what
 * the program calls it, `process` the run of the process.
 */
export const TEXT_NAMES = [
  'thread',
  'user',
  'run',
  'kind',
  'userAttribute',
  'model',
  'exceptionType',
  'op',
  'process',
] as const;

export type TextName = (typeof TEXT_NAMES)[number];

/** One of each for each column of texts. */
export function forTexts<T>(make: (name: TextName) => T): Record<TextName, T> {
  return Object.fromEntries(TEXT_NAMES.map((name) => [name, make(name)])) as Record<TextName, T>;
}

/** Columns of a segment's calls, as pages ask for them, by place. Of places without a visible call the project is 0. */
export interface SegmentColumns {
  readonly projects: Uint32Array<ArrayBuffer>;
  /** Microseconds; NaN is no end. */
  readonly startedAt: Float64Array<ArrayBuffer>;
  readonly endedAt: Float64Array<ArrayBuffer>;
  /** Numbers of calls; 0 for roots. */
  readonly parents: Uint32Array<ArrayBuffer>;
  readonly flags: Uint8Array<ArrayBuffer>;
  readonly texts: Readonly<Record<TextName, Uint16Array<ArrayBuffer>>>;
  readonly lists: Readonly<Record<TextName, readonly (string | null)[]>>;
  /** Uses of models: by which call, of which source, and their tokens one behind the other. */
  readonly usagePlaces: Uint16Array<ArrayBuffer>;
  readonly usageSources: Uint32Array<ArrayBuffer>;
  readonly usageTokens: Float64Array<ArrayBuffer>;
  readonly sources: readonly UsageSource[];
  /** The calls that had a first chunk, and the milliseconds until then. */
  readonly chunkPlaces: Uint16Array<ArrayBuffer>;
  readonly chunkMs: Float64Array<ArrayBuffer>;
}

export interface UsageSource {
  readonly model: string;
  readonly provider: string | null;
  readonly host: string | null;
}

interface Header {
  readonly lists: SegmentColumns['lists'];
  readonly sources: readonly UsageSource[];
}

/** Room for the numbers of uses and of first chunks, and for the length of the header. */
const PREFIX_BYTES = 24;

/** Columns as bytes: wide numbers first, so that each is where its size divides. */
export function encodeColumns(columns: SegmentColumns): Uint8Array {
  const header = new TextEncoder().encode(JSON.stringify({ lists: columns.lists, sources: columns.sources }));
  const prefix = Float64Array.of(columns.usagePlaces.length, columns.chunkPlaces.length, header.length);
  const arrays = [prefix, ...arraysOf(columns), header];
  const bytes = new Uint8Array(arrays.reduce((sum, array) => sum + array.byteLength, 0));
  let offset = 0;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset);
    offset += array.byteLength;
  }
  return bytes;
}

function arraysOf(columns: SegmentColumns) {
  const { startedAt, endedAt, usageTokens, chunkMs, projects, parents, texts } = columns;
  const { usagePlaces, usageSources, chunkPlaces, flags } = columns;
  const ofTexts = TEXT_NAMES.map((name) => texts[name]);
  const wide = [startedAt, endedAt, usageTokens, chunkMs, projects, parents, usageSources];
  return [...wide, ...ofTexts, usagePlaces, chunkPlaces, flags];
}

/** About what columns take in memory, and encoded. */
export function bytesOf(columns: SegmentColumns): number {
  const texts = [...TEXT_NAMES.flatMap((name) => columns.lists[name]), ...columns.sources.flatMap(Object.values)];
  const characters = texts.reduce((sum, text: string | null) => sum + (text?.length ?? 0), 0);
  return arraysOf(columns).reduce((sum, { byteLength }) => sum + byteLength, 2 * characters);
}

export function decodeColumns(bytes: Uint8Array): SegmentColumns {
  // A copy, which begins where wide numbers may.
  const { buffer } = new Uint8Array(bytes);
  const [usages = 0, chunks = 0, headerBytes = 0] = new Float64Array(buffer, 0, 3);
  const columns = emptyColumns(usages, chunks);
  let offset = PREFIX_BYTES;
  for (const array of arraysOf(columns)) {
    new Uint8Array(array.buffer).set(new Uint8Array(buffer, offset, array.byteLength));
    offset += array.byteLength;
  }
  const header = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array(buffer, offset, headerBytes));
  return { ...columns, ...(JSON.parse(header) as Header) };
}

/** Columns without calls, with room for so many uses and first chunks. */
export function emptyColumns(usages = 0, chunks = 0): SegmentColumns {
  return {
    projects: new Uint32Array(SEGMENT_CALLS),
    startedAt: new Float64Array(SEGMENT_CALLS),
    endedAt: new Float64Array(SEGMENT_CALLS),
    parents: new Uint32Array(SEGMENT_CALLS),
    flags: new Uint8Array(SEGMENT_CALLS),
    texts: forTexts(() => new Uint16Array(SEGMENT_CALLS)),
    lists: forTexts(() => [null]),
    usagePlaces: new Uint16Array(usages),
    usageSources: new Uint32Array(usages),
    usageTokens: new Float64Array(usages * TOKEN_KINDS.length),
    sources: [],
    chunkPlaces: new Uint16Array(chunks),
    chunkMs: new Float64Array(chunks),
  };
}

/** The states of calls, by the number that `statusAt` gives. */
export const COLUMN_STATUSES = ['error', 'running', 'descendant_error', 'success'] as const satisfies CallStatus[];

/** The first that matches, as for `callStatus`. */
export function statusAt({ flags, endedAt }: SegmentColumns, place: number): number {
  const flag = flags[place] ?? 0;
  if ((flag & IS_ERROR) !== 0) return 0;
  if (Number.isNaN(endedAt[place])) return 1;
  return (flag & HAS_CHILD_ERRORS) === 0 ? 3 : 2;
}
