import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../protocol/dialect.ts';
import { newId } from './new-id.ts';

/** Header values are echoed, so only harmless ones of sensible length are. */
const ECHOED = /^[\x21-\x7e]{1,128}$/;

const RETRY_ID = 'svc-retry-id';

/** The id a client gave its request (repeated when it is retried), else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders, dialect?: Dialect): string {
  for (const name of ['svc-request-id', RETRY_ID]) {
    const value = headers[dialect?.headers[name] ?? name];
    if (typeof value === 'string' && ECHOED.test(value)) return value;
  }
  return newId();
}
