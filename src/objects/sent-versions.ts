import type { Tracer } from '../tracing/record/tracer.ts';
import type { ObjectRef } from './object-ref.ts';

interface Sent {
  readonly versions: Set<string>;
  /** By name, what was sent under it last. */
  readonly latest: Map<string, string>;
}

/** A program may publish for years; forgetting costs a request that changes nothing. */
const MAX_KNOWN = 10_000;

const sentBy = new WeakMap<Tracer, Sent>();

/**
 * Has the version to be sent? The same one again has not, unless another was published under its name meanwhile:
 * then sending it makes it the latest. A version that is only part of another is sent once.
 */
export function isToSend(tracer: Tracer, ref: ObjectRef, isPart: boolean): boolean {
  const { versions, latest } = sentOf(tracer);
  const text = String(ref);
  if (isPart ? versions.has(text) : latest.get(ref.name) === text) return false;
  if (versions.size >= MAX_KNOWN) versions.clear();
  if (latest.size >= MAX_KNOWN) latest.clear();
  versions.add(text);
  latest.set(ref.name, text);
  return true;
}

/** The reference of what was published last under a name. */
export function lastSent(tracer: Tracer, name: string): string | undefined {
  return sentBy.get(tracer)?.latest.get(name);
}

function sentOf(tracer: Tracer): Sent {
  const known = sentBy.get(tracer);
  if (known !== undefined) return known;
  const fresh: Sent = { versions: new Set(), latest: new Map() };
  sentBy.set(tracer, fresh);
  return fresh;
}
