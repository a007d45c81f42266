import { digestBytes, digestJson } from '../protocol/values/digest.ts';
import { formatObjectRef } from '../protocol/ref.ts';
import type { ObjectRecord } from '../protocol/record.ts';
import { type Mask, MASKED } from '../tracing/mask/mask.ts';
import { replaceByMask } from '../tracing/mask/replace-by-mask.ts';
import type { OpSource, Tracer } from '../tracing/record/tracer.ts';
import { remember } from './published-values.ts';

const FILE_NAME = 'obj.js';

/** About as large is the value of an op: its source is a file beside it. */
const VALUE_BYTES = 128;

/** Longer sources are bundles; their beginning tells as much. */
const MAX_SOURCE_LENGTH = 256 * 1024;

/** References that were handed to the sink of a tracer: each version is published once. */
const published = new WeakMap<Tracer, Set<string>>();

/** The version of an op as reference, published in the background. */
export function describeOp(op: OpSource, tracer: Tracer): string {
  const { ref, record } = opVersion(op, tracer);
  if (isFirst(tracer, ref)) tracer.sink.writeObject(record);
  return ref;
}

/**
 * A version of an op. It is made of the masked source text and nothing else, so the same code is the same version on
 * every machine and wherever in its file it stands.
 */
export function opVersion(
  { name, fn }: OpSource,
  { projectId, mask }: Pick<Tracer, 'projectId' | 'mask'>,
): { readonly ref: string; readonly record: ObjectRecord } {
  const bytes = Buffer.from(maskedSource(fn, mask));
  const file = { projectId, name: FILE_NAME, digest: digestBytes(bytes), bytes };
  const val = { _type: 'CustomType', svc_type: { type: 'Op' }, files: { [FILE_NAME]: file.digest } };
  const digest = digestJson(val);
  const ref = formatObjectRef(projectId, 'op', name, digest);
  remember(ref, val, VALUE_BYTES);
  return { ref, record: { projectId, objectId: name, val, digest, files: [file] } };
}

function isFirst(tracer: Tracer, ref: string): boolean {
  const refs = published.get(tracer) ?? new Set();
  published.set(tracer, refs);
  if (refs.has(ref)) return false;
  refs.add(ref);
  return true;
}

function maskedSource(fn: Function, mask: Mask): string {
  const source = movable(Function.prototype.toString.call(fn));
  const replaced = replaceByMask(mask, source, ['code']);
  return mask.text(typeof replaced === 'string' ? replaced : MASKED);
}

/** The text as it would be at the left margin and on any system: a function that is moved stays the same version. */
function movable(source: string): string {
  // The bracket that closes a function stands as far to the right as the line where the function begins.
  const margin = /^[ \t]*/.exec(source.slice(source.lastIndexOf('\n') + 1))?.[0] ?? '';
  const text = source.slice(0, MAX_SOURCE_LENGTH).replaceAll('\r\n', '\n');
  return margin === '' ? text : text.replaceAll(`\n${margin}`, '\n');
}
