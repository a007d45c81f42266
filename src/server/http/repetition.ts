import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '../../protocol/values/canonical-json.ts';
import type { Asked } from './asked.ts';
import { derivedId, newId } from './new-id.ts';
import { retryIdOf } from './request-id.ts';

/** The key and ids by which a write that comes again, because its answer was lost, is the same as the first. */
export interface Repetition {
  /** The same for all attempts of a request and for no other; undefined where the client gave it no retry id. */
  readonly key: string | undefined;
  /** A new id. Another attempt of the request gets the same ids in the same order. */
  readonly makeId: () => string;
}

/** A client that gives different requests one retry id does not lose any: the body counts too. */
export function repetitionOf(request: Asked, body: unknown): Repetition {
  const retryId = retryIdOf(request.headers, request.dialect);
  if (retryId === undefined) return { key: undefined, makeId: () => newId() };
  let made: string | undefined;
  // Most bodies name everything themselves, and large ones take long to hash.
  const keyOf = () => (made ??= makeKey(request, retryId, body));
  let count = 0;
  return {
    get key() {
      return keyOf();
    },
    makeId: () => derivedId(`${keyOf()} ${count++}`, retryId),
  };
}

/** The context of a request in which another attempt makes the same ids. */
export function repeatable<Context extends { readonly request: Asked }>(
  context: Context,
  body: unknown,
): Context & Pick<Repetition, 'makeId'> {
  return { ...context, makeId: repetitionOf(context.request, body).makeId };
}

function makeKey({ caller, routeOptions }: Asked, retryId: string, body: unknown): string {
  // The body was parsed from JSON.
  const text = canonicalJson(body as JsonValue);
  const parts = [caller.keyId, routeOptions.url, retryId, text];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
