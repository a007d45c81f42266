import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { canonicalJson, type JsonValue } from '../protocol/canonical-json.ts';
import { derivedId, newId } from './new-id.ts';
import { retryIdOf } from './request-id.ts';

/** What makes a write that comes again, because its answer was lost, the same as the first. */
export interface Repetition {
  /** The same for all attempts of a request and for no other; undefined where the client gave it no retry id. */
  readonly key: string | undefined;
  /** A new id. Another attempt of the request gets the same ids in the same order. */
  readonly makeId: () => string;
}

/** A client that gives different requests one retry id does not lose any: the body counts too. */
export function repetitionOf(request: FastifyRequest, body: unknown): Repetition {
  const retryId = retryIdOf(request.headers, request.dialect);
  if (retryId === undefined) return { key: undefined, makeId: () => newId() };
  // The body was parsed from JSON.
  const text = canonicalJson(body as JsonValue);
  const parts = [request.caller.keyId, request.routeOptions.url, retryId, text];
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  let count = 0;
  return { key, makeId: () => derivedId(`${key} ${count++}`, retryId) };
}
