import { canonicalJson, type JsonValue } from '../protocol/values/canonical-json.ts';
import { digestBytes } from '../protocol/values/digest.ts';
import { DEFAULT_LIMITS } from '../protocol/limits.ts';
import { capture } from '../tracing/capture/capture.ts';
import { publishedVersion, watch, type Watched } from '../tracing/record/published-versions.ts';
import { reportProblem } from '../tracing/record/tracer.ts';
import type { Destination } from './destination.ts';
import { VALUE_LIMITS, wellFormed } from './save-object.ts';
import { Source } from './source.ts';

/** A row as it is stored. */
export interface StoredRow {
  readonly digest: string;
  readonly val: JsonValue;
  /** Of the canonical text. */
  readonly bytes: number;
}

/** A row that this process was given, and what it was then. */
export interface CopiedRow extends StoredRow {
  readonly original: object;
  /** `undefined` when changes of the original could not be seen. */
  readonly watched: readonly Watched[] | undefined;
}

/** Each character of a text may need six bytes; the second share is what surely fits. */
const ROW_BYTES = [DEFAULT_LIMITS.row_bytes / 2, DEFAULT_LIMITS.row_bytes / 8];

/** A masked copy of a row with its digest. One that is larger than the service takes is cut, and that is reported. */
export function copyRow(original: object, destination: Destination): CopiedRow {
  for (const maxBytes of ROW_BYTES) {
    const source = new Source(original);
    const val = copy(source, destination, maxBytes);
    const text = canonicalJson(val);
    if (text.length > DEFAULT_LIMITS.row_bytes) continue;
    // As whoever reads it from the service gets it: members in order, no -0.
    const stored = JSON.parse(text) as JsonValue;
    return { digest: digestBytes(text), val: stored, bytes: text.length, original, watched: source.watched };
  }
  throw new RangeError('A row within its limit is larger than it');
}

function copy(source: Source, { tracer, mask }: Destination, maxFieldBytes: number): JsonValue {
  const limits = { ...VALUE_LIMITS, maxFieldBytes };
  const hooks = { refOf: (inner: object) => refOf(inner, source) };
  const { value, bytes } = capture(source.value, 'object', mask, limits, hooks, tracer?.files);
  if (bytes >= maxFieldBytes)
    reportProblem('row_too_large', 'Cannot publish all of a row', `it was cut at ${maxFieldBytes} bytes`, tracer);
  const val = wellFormed(value);
  // Whatever its `toJSON` makes of it, a row has members.
  return typeof val === 'object' && val !== null && !Array.isArray(val) ? val : { value: val };
}

/** Values inside a row that are published stand there as references; the row itself is copied. */
function refOf(inner: object, source: Source): string | undefined {
  const version = inner === source.value ? undefined : publishedVersion(inner);
  if (version !== undefined) source.include(version);
  else if (watch(inner) === undefined) source.giveUp();
  else source.observe(inner);
  return version?.ref;
}

/** Everything in a value made of plain objects and lists that may change. */
export function watchAll(value: unknown): readonly Watched[] {
  if (typeof value !== 'object' || value === null) return [];
  const watched = watch(value);
  return watched === undefined ? [] : [watched, ...Object.values(value).flatMap(watchAll)];
}
