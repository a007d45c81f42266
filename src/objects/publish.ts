import type { JsonValue } from '../protocol/canonical-json.ts';
import { digestJson } from '../protocol/digest.ts';
import { toObjectId } from '../protocol/id.ts';
import { DEFAULT_LIMITS } from '../protocol/limits.ts';
import { capture } from '../tracing/capture.ts';
import type { CaptureLimits } from '../tracing/capture-limits.ts';
import { compileMask } from '../tracing/mask.ts';
import { registry } from '../tracing/registry.ts';
import { activeTracer, reportProblem, type Tracer } from '../tracing/tracer.ts';
import { ObjectRef } from './object-ref.ts';
import { remember } from './published-values.ts';

/** A published value is kept as it is: only what the service would refuse is cut. */
const LIMITS: CaptureLimits = {
  maxDepth: DEFAULT_LIMITS.json_depth - 1,
  maxKeys: Number.POSITIVE_INFINITY,
  maxItems: Number.POSITIVE_INFINITY,
  keptNumbers: Number.POSITIVE_INFINITY,
  maxStringLength: Number.POSITIVE_INFINITY,
  maxFieldBytes: DEFAULT_LIMITS.object_bytes / 2,
  maxValues: Number.POSITIVE_INFINITY,
  maxCauses: 5,
  maxErrorMembers: 10,
};

const TOO_LARGE = `it was cut at ${LIMITS.maxFieldBytes} bytes`;

/** Where objects live while nothing is recorded: a reference needs a project. */
const NO_PROJECT = 'local/not-recorded';

/**
 * Stores a version of a value under a name and returns its reference at once: the digest is computed here. A value
 * that is published already makes no new version. Secrets are masked.
 *
 * @example
 * const settings = publish({ temperature: 0.2 }, 'settings');
 * await answer(question, settings);
 */
export function publish(value: unknown, name?: string): ObjectRef {
  const objectId = toObjectId(name ?? nameOf(value));
  if (objectId === '') throw new TypeError(`Cannot publish under the name "${name}": it has no letter and no digit`);
  const tracer = activeTracer();
  const { value: copy, bytes } = capture(value, 'object', tracer?.mask ?? DEFAULT_MASK, LIMITS);
  if (bytes >= LIMITS.maxFieldBytes)
    reportProblem('object_too_large', `Cannot publish all of "${objectId}"`, TOO_LARGE, tracer);
  const val = wellFormed(copy);
  const projectId = registry.tracer?.projectId || NO_PROJECT;
  const ref = new ObjectRef({
    ...address(projectId),
    kind: 'object',
    name: objectId,
    version: digestJson(val),
    extra: [],
  });
  remember(String(ref), val, bytes);
  if (tracer !== undefined) write(tracer, ref, val);
  return ref;
}

const DEFAULT_MASK = compileMask(undefined);

function write(tracer: Tracer, { name, digest }: ObjectRef, val: JsonValue): void {
  try {
    tracer.sink.writeObject({ projectId: tracer.projectId, objectId: name, val, digest, files: [] });
  } catch (error) {
    reportProblem('publish', `Cannot publish "${name}"`, error, tracer);
  }
}

function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'object';
  const { constructor } = value;
  return typeof constructor === 'function' && constructor !== Object && constructor.name ? constructor.name : 'object';
}

function address(projectId: string): { entity: string; project: string } {
  const [entity = '', project = ''] = projectId.split('/');
  return { entity, project };
}

/** Half of a surrogate pair does not survive UTF-8, so the digest must be made without. */
function wellFormed(value: unknown): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  // What `capture` returns is JSON.
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]));
}
