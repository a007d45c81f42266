import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../../protocol/spelling/dialect.ts';
import { newId } from './new-id.ts';

/** Header values are echoed, so only harmless ones of sensible length are. */
const ECHOED = /^[\x21-\x7e]{1,128}$/;

const RETRY_ID = 'svc-retry-id';

/** The id a client gave its request (repeated when it is retried), else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders, dialect: Dialect | undefined): string {
  const given = [headers['svc-request-id'], retryIdOf(headers, dialect)];
  return given.find((id): id is string => typeof id === 'string' && ECHOED.test(id)) ?? newId();
}

/** The id that all attempts of a request have in common; its header has another name in a dialect. */
export function retryIdOf(headers: IncomingHttpHeaders, dialect: Dialect | undefined): string | undefined {
  const retryId = headers[dialect?.headers[RETRY_ID] ?? RETRY_ID];
  return typeof retryId === 'string' && retryId !== '' ? retryId : undefined;
}
