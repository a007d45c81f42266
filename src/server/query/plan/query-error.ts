import { TracingError } from '../../../protocol/error.ts';

/** Where in the request a part of a query stands. */
export type Location = readonly (string | number)[];

/** 422: the query has a shape that the protocol does not know. */
export function malformed(loc: Location, msg: string, type: string): TracingError {
  const message = `Cannot read the query: ${msg} (at ${loc.join('.')})`;
  return new TracingError('validation_error', message, { extra: { detail: [{ loc, msg, type }] } });
}

/** 400: the shape is right and a stated rule is broken. */
export function refused(loc: Location, reason: string): TracingError {
  return new TracingError('invalid_request', `Cannot use the query: ${reason} (at ${loc.join('.')})`);
}
