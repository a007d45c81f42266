import { TracingError } from '../protocol/error.ts';
import { isRef, parseRef, type RefParts } from '../protocol/ref.ts';
import { registry } from '../tracing/propagation/registry.ts';
import { activeTracer } from '../tracing/record/tracer.ts';
import { describe } from './check-argument.ts';
import { toDataset } from './dataset.ts';
import type { ObjectRef } from './object-ref.ts';
import { toPrompt } from './prompt.ts';
import { ownLatest } from './own-latest.ts';
import { recallPath } from './recall-path.ts';
import { rememberRead } from './remember-read.ts';
import { revive } from './revive.ts';

/**
 * The value behind a reference to an object, an op, a table, a row or a call, or of what steps after it lead to.
 * References to objects and ops in it are `ObjectRef`s, which read on with their `get`. An object that was an instance
 * of a class comes back with its fields, not as an instance; a prompt comes back as a prompt, a dataset as a
 * `Dataset`. What this process published comes from memory, all else from the service: references that are asked for
 * in one turn of the event loop are one request. A call that is given the value records the reference, as long as
 * nothing in the value changes.
 *
 * The type is that of what was published, or the one that is asked for: `get<Settings>(ref)`. Nothing checks it.
 *
 * Rejects with a `TypeError` when `ref` is no reference, and with a `TracingError` when it cannot be read: `not_found`,
 * `object_deleted`, and `unavailable` when there is no service.
 *
 * @example
 * const settings = await get('svc:///local/my-app/object/settings:latest');
 */
export function get<Value>(ref: ObjectRef<Value>): Promise<Value>;
export function get<Value = unknown>(ref: ObjectRef | string): Promise<Value>;
export async function get(ref: ObjectRef | string): Promise<unknown> {
  const text = toText(ref);
  const parts = toParts(text);
  const value = await read(text, parts);
  const result = toPrompt(value) ?? toDataset(value, text) ?? revive(value, `${parts.entity}/${parts.project}`);
  rememberRead(result, parts, value);
  return result;
}

async function read(text: string, parts: RefParts): Promise<unknown> {
  const known = recallPath((await ownLatest(parts)) ?? parts);
  if (known !== undefined && 'value' in known) return known.value;
  activeTracer();
  const objects = registry.tracer?.objects;
  if (objects === undefined) throw new TracingError('unavailable', `Cannot read "${text}": no service is known`);
  return objects.read(known?.ref ?? text);
}

function toText(ref: unknown): string {
  const text = typeof ref === 'string' ? ref : textOfRef(ref);
  if (text !== undefined) return text;
  throw new TypeError(`Cannot get: the argument "ref" is ${describe(ref)}, not a reference`);
}

/** An `ObjectRef`, also of another copy of this package, by what it is in JSON. */
function textOfRef(ref: unknown): string | undefined {
  const json: unknown =
    typeof ref === 'object' && ref !== null && 'toJSON' in ref && typeof ref.toJSON === 'function'
      ? ref.toJSON()
      : undefined;
  return typeof json === 'string' && isRef(json) ? json : undefined;
}

function toParts(text: string): RefParts {
  try {
    const parts = parseRef(text);
    if ('version' in parts && parts.version === '*') throw new Error('its version "*" names more than one');
    return parts;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^.*": /, '') : String(cause);
    throw new TypeError(`Cannot get: the argument "ref" is "${text.slice(0, 200)}": ${reason}`, { cause });
  }
}
