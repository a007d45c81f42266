import { TracingError } from '../../protocol/error.ts';

/** Codes of the server, by what they mean to who asks. */
const TIMEOUTS = ['159', '160', '209'];
const MEMORY = ['241', '307', '396'];

/** What a driver threw, as the contract says it; `lateMs` is how long was waited for. */
export function failureOf(error: unknown, lateMs?: number): TracingError {
  if (error instanceof TracingError) return error;
  if (lateMs !== undefined) {
    return new TracingError('query_timeout', `Cannot finish the read: it took longer than ${lateMs} ms`);
  }
  const code = codeOf(error);
  const cause = { cause: error };
  if (TIMEOUTS.includes(code)) return new TracingError('query_timeout', 'Cannot finish the read in time', cause);
  if (MEMORY.includes(code)) {
    return new TracingError('query_timeout', 'Cannot finish the read: it needs more memory than it may have', cause);
  }
  return new TracingError('unavailable', `Cannot use ClickHouse: ${reasonOf(error)}`, cause);
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** The first line: what follows may have the statement in it. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text || codeOf(error)).split('\n', 1)[0]?.slice(0, 300) ?? '';
}
