import { types } from 'node:util';
import { wellFormedText } from '../host/well-formed.ts';
import type { JsonValue } from '../protocol/values/canonical-json.ts';
import { digestJson } from '../protocol/values/digest.ts';
import { DEFAULT_LIMITS } from '../protocol/limits.ts';
import { parseRef } from '../protocol/ref.ts';
import { capture } from '../tracing/capture/capture.ts';
import { type CaptureLimits, DEFAULT_CAPTURE_LIMITS } from '../tracing/capture/capture-limits.ts';
import { CapturedFiles } from '../tracing/record/captured-files.ts';
import type { Mask } from '../tracing/mask/mask.ts';
import { currentDestination, type Destination } from './destination.ts';
import {
  type CopyMembers,
  type ObjectHooks,
  publishedVersion,
  rememberVersion,
} from '../tracing/record/published-versions.ts';
import { registry } from '../tracing/propagation/registry.ts';
import { reportProblem, type Tracer } from '../tracing/record/tracer.ts';
import { mark, type Walk } from '../tracing/capture/walk.ts';
import { tracedSpec } from '../tracing/wrap/wrap.ts';
import { ObjectRef } from './object-ref.ts';
import { opRef } from './op-ref.ts';
import { isPublishable, PUBLISH, type Publishable } from './publishable.ts';
import { remember } from './published-values.ts';
import { isToSend } from './sent-versions.ts';
import { Source } from './source.ts';
import { type ClassHeader, fieldsOf, headerOf, instanceName } from './typed-object.ts';

/** A published value is kept as it is: only what the service would refuse is cut. */
export const VALUE_LIMITS: CaptureLimits = {
  maxDepth: DEFAULT_LIMITS.json_depth - 1,
  maxKeys: Number.POSITIVE_INFINITY,
  maxItems: Number.POSITIVE_INFINITY,
  keptNumbers: Number.POSITIVE_INFINITY,
  maxStringLength: Number.POSITIVE_INFINITY,
  maxFieldBytes: DEFAULT_LIMITS.object_bytes / 2,
  maxValues: Number.POSITIVE_INFINITY,
  maxFileBytes: DEFAULT_CAPTURE_LIMITS.maxFileBytes,
  maxCauses: 5,
  maxErrorMembers: 10,
};

const TOO_LARGE = `it was cut at ${VALUE_LIMITS.maxFieldBytes} bytes`;

/** Stands where a circle closes. */
const CIRCULAR = '[Circular]';

/** Instances inside one value that become versions of their own; further ones stay inside. */
const MAX_PARTS = 1000;

/** As many references as the service follows from one value to the next. */
const MAX_CHAIN = 32;

/** One value and the versions that its parts become. */
interface Publication extends Destination {
  /** Of the value that was asked for, where its class does not have the right name. */
  readonly header: ClassHeader | undefined;
  /** Values that are being copied because the next one is a part of them. */
  readonly around: unknown[];
  readonly parts: Map<object, string>;
}

/**
 * Makes a version of a value, after versions of the instances inside it, and sends what is new in the background.
 * `header` names the class of an instance of ours, whose name a bundler may have changed.
 */
export function saveObject(value: unknown, objectId: string, header?: ClassHeader): ObjectRef {
  return save({ ...currentDestination(), header, around: [], parts: new Map() }, new Source(value), objectId);
}

function save(publication: Publication, source: Source, objectId: string): ObjectRef {
  const { tracer, projectId, mask, around } = publication;
  const files = tracer?.files ?? new CapturedFiles();
  const { value: copy, bytes } = capture(
    source.value,
    'object',
    mask,
    VALUE_LIMITS,
    hooksFor(publication, source),
    files,
  );
  if (bytes >= VALUE_LIMITS.maxFieldBytes)
    reportProblem('object_too_large', `Cannot publish all of "${objectId}"`, TOO_LARGE, tracer);
  const val = wellFormed(copy);
  const [entity = '', project = ''] = projectId.split('/');
  const ref = new ObjectRef({ entity, project, kind: 'object', name: objectId, version: digestJson(val), extra: [] });
  remember(String(ref), val, bytes);
  if (tracer === undefined) return ref;
  if (isToSend(tracer, ref, around.length > 0)) write(tracer, ref, val);
  if (typeof source.value === 'object' && source.value !== null)
    rememberVersion(source.value, String(ref), source.watched);
  return ref;
}

function hooksFor(publication: Publication, source: Source): ObjectHooks {
  return {
    refOf(inner) {
      if (inner !== source.value) {
        if (publication.around.includes(inner)) return CIRCULAR;
        const ref = knownRef(publication, source, inner);
        if (ref !== undefined) return ref;
      }
      source.observe(inner);
      return undefined;
    },
    copyInstance: (walk, inner, className, copyMembers) =>
      copyInstance({ publication, source, walk, copyMembers }, inner, className),
  };
}

/** The reference of what is a version already, or knows how to become one. */
function knownRef(publication: Publication, source: Source, inner: object): string | undefined {
  if (typeof inner === 'function') {
    const spec = tracedSpec(inner);
    return spec && String(opRef(spec, source.value, publication));
  }
  // To look into a proxy runs foreign code.
  if (types.isProxy(inner)) return undefined;
  if (inner instanceof ObjectRef) return String(inner);
  const ref = publishedVersion(inner)?.ref ?? publication.parts.get(inner);
  const known = ref ?? (isPublishable(inner) ? savePublishable(inner) : undefined);
  if (known !== undefined && known !== CIRCULAR) source.include(publishedVersion(inner));
  return known;
}

/** Those that are being saved, since each does it in its own way. */
const underway = new Set<Publishable>();

function savePublishable(inner: Publishable): string {
  if (underway.has(inner)) return CIRCULAR;
  underway.add(inner);
  try {
    return String(inner[PUBLISH]());
  } finally {
    underway.delete(inner);
  }
}

interface Copying {
  readonly publication: Publication;
  readonly source: Source;
  readonly walk: Walk;
  readonly copyMembers: CopyMembers;
}

function copyInstance(copying: Copying, instance: object, className: string): unknown {
  const { publication, source, walk, copyMembers } = copying;
  const { fields, json } = fieldsOf(instance);
  if (fields !== instance) source.giveUp();
  if (fields === undefined) return walk.visit(walk, json);
  const isWhole = instance === source.value;
  if (!isWhole && publication.parts.size < MAX_PARTS && publication.around.length < MAX_CHAIN)
    return mark(walk, savePart(publication, source, instance, className));
  if (fields === instance) source.observeInstance(instance);
  const header = (isWhole && publication.around.length === 0 && publication.header) || headerOf(instance, className);
  return { ...header, ...copyMembers(walk, fields, {}), ...header };
}

/** An instance inside the value becomes a version of its own. */
function savePart(publication: Publication, source: Source, instance: object, className: string): string {
  publication.around.push(source.value);
  const part = new Source(instance);
  const ref = String(save(publication, part, partName(instance, className, publication.mask)));
  publication.around.pop();
  publication.parts.set(instance, ref);
  source.include(part.watched && { watched: part.watched });
  return ref;
}

/** The name it was published under before, else its own, else that of its class. */
function partName(instance: object, className: string, mask: Mask): string {
  const before = registry.published?.get(instance)?.ref;
  const parts = before === undefined ? undefined : parseRef(before);
  return parts?.kind === 'object' ? parts.name : instanceName(instance, className, mask);
}

function write(tracer: Tracer, { name, digest }: ObjectRef, val: JsonValue): void {
  try {
    tracer.sink.writeObject({ projectId: tracer.projectId, objectId: name, val, digest, files: [] });
  } catch (error) {
    reportProblem('publish', `Cannot publish "${name}"`, error, tracer);
  }
}

/** Half of a surrogate pair does not survive UTF-8, so the digest must be made without. */
export function wellFormed(value: unknown): JsonValue {
  if (typeof value === 'string') return wellFormedText(value);
  if (Array.isArray(value)) return value.map(wellFormed);
  // What `capture` returns is JSON.
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [wellFormedText(key), wellFormed(member)]));
}
