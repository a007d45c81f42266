import { TracingError } from '../../protocol/error.ts';

/** Codes of the server that say that it cannot do now what it can do at other times. */
const TIMEOUTS: readonly string[] = ['159', '160', '209'];
const MEMORY: readonly string[] = ['173', '241', '307', '396'];
/** Of a disk that is full or fails, and of a server that has too much to do, stops, lets nobody in, or is behind (`must-be-there.ts`). */
const UNAVAILABLE: readonly string[] =
  '74 75 76 243 1001 81 164 198 201 202 203 210 225 236 242 252 279 285 286 319 394 395 439 499 516 999'.split(' ');

/** A driver's error at a write, as the contract says it. */
export function failureOfWrite(error: unknown): Error {
  const code = codeOf(error);
  const isPassing = !isOfServer(code) || [...TIMEOUTS, ...MEMORY, ...UNAVAILABLE].includes(code);
  return isPassing ? unavailable(error) : refusal(error);
}

/** The same for a read; `lateMs` is how long was waited for. */
export function failureOfRead(error: unknown, lateMs?: number): Error {
  if (error instanceof TracingError) return error;
  if (lateMs !== undefined) return timeout(`it took longer than ${lateMs} ms`, error);
  const code = codeOf(error);
  if (TIMEOUTS.includes(code)) return timeout('it took too long', error);
  if (MEMORY.includes(code)) return timeout('it needs more memory than it may have', error);
  return isOfServer(code) && !UNAVAILABLE.includes(code) ? refusal(error) : unavailable(error);
}

/** Work that writes, and reads what it must know for it: that a read of it took too long, or too much memory, is for now. */
export async function inWrite<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TracingError && error.code === 'query_timeout') throw failureOfWrite(error.cause);
    throw error;
  }
}

function timeout(reason: string, cause: unknown): TracingError {
  return new TracingError('query_timeout', `Cannot finish the read: ${reason}`, { cause });
}

function unavailable(cause: unknown): TracingError {
  return new TracingError('unavailable', `Cannot use ClickHouse: ${reasonOf(cause)}`, { cause });
}

/** A statement that the server does not take is a mistake of ours. */
function refusal(cause: unknown): Error {
  return new Error(`ClickHouse has refused a statement: ${reasonOf(cause)}`, { cause });
}

/** Codes of the server are numbers, those of the network are names. */
function isOfServer(code: string): boolean {
  return /^[1-9]\d*$/.test(code);
}

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** The reason alone: behind it may stand the place in the statement, or the statement. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text || codeOf(error)).split(/\n|: while executing /i, 1)[0]?.slice(0, 300) ?? '';
}
