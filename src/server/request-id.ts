import type { IncomingHttpHeaders } from 'node:http';
import { newId } from './new-id.ts';

/** Header values are echoed, so only harmless ones of sensible length are. */
const ECHOED = /^[\x21-\x7e]{1,128}$/;

/** The id a client gave its request (repeated when it is retried), else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  for (const name of ['svc-request-id', 'svc-retry-id']) {
    const value = headers[name];
    if (typeof value === 'string' && ECHOED.test(value)) return value;
  }
  return newId();
}
