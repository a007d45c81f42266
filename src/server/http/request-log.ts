import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ErrorCode, TracingError } from '../../protocol/error.ts';
import { clientAddress } from './client-address.ts';
import { loggedStack } from './logged-error.ts';
import type { Refusals } from '../keys/refusals.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** A logger that writes JSON lines to standard error. */
export async function openLogger(level: LogLevel): Promise<Logger> {
  const { pino, destination, stdTimeFunctions } = await import('pino');
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime };
  return pino(options, destination({ fd: 2, sync: true }));
}

/** Notes of a request line besides method, path and status; never a key or anything of a body. */
export interface RequestNotes {
  keyId?: string;
  errorCode?: ErrorCode;
  /** Only of failures that are ours. */
  error?: Error;
}

/** Keeps what went wrong for the line of the request. */
export function noteError(request: FastifyRequest, error: TracingError): void {
  request.notes.errorCode = error.code;
  if (error.status >= 500) request.notes.error = error;
}

/** Where lines about requests go. */
interface RequestLogs {
  readonly logger: Logger;
  /** Takes those about requests without a key that are refused. */
  readonly refusals: Refusals;
}

const FAILED = 'request failed';
export const REFUSED = 'request refused';

/**
 * Writes one line when the request is over: answered, or left by the client. Answers that are no success are
 * warnings, failures of ours errors.
 */
export function logWhenOver({ logger, refusals }: RequestLogs, request: FastifyRequest, reply: FastifyReply): void {
  const { notes } = request;
  const startedAt = performance.now();
  const address = clientAddress(request);
  reply.raw.once('close', () => {
    const { statusCode: status, headersSent } = reply.raw;
    const line = {
      requestId: request.id,
      address,
      method: request.method,
      path: pathOf(request.url),
      // A client that left before has seen none.
      status: headersSent ? status : null,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      ...describe(notes),
    };
    const isCut = !reply.raw.writableFinished;
    const isFailure = status >= 500 || notes.error !== undefined;
    const hasNoKey = notes.keyId === undefined && (isFailure || status >= 400);
    if (hasNoKey) return refusals.log(isFailure ? 'error' : 'warn', address, line, isFailure ? FAILED : REFUSED);
    if (isFailure) logger.error(line, FAILED);
    else if (status >= 400) logger.warn(line, REFUSED);
    else logger.info(line, isCut ? 'request cut off' : 'request answered');
  });
}

/** A path of ours is short, and a line is not made longer by one that is none. */
function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').slice(0, MAX_PATH);
}

const MAX_PATH = 200;

function describe({ error, ...notes }: RequestNotes): Record<string, unknown> {
  if (error === undefined) return notes;
  const cause = error.cause instanceof Error ? error.cause : error;
  return { ...notes, stack: loggedStack(cause) };
}
