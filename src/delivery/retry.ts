import type { TransportAnswer } from './transport.ts';

/** What an answer means for the records that were sent. */
export type Verdict =
  | { readonly kind: 'accepted' }
  /** The same request may succeed later. */
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number }
  /** Wrong key or wrong address: nothing will succeed until somebody changes that. */
  | { readonly kind: 'shut-out'; readonly problem: 'key-refused' | 'wrong-address'; readonly reason: string }
  /** This body is not acceptable; others may be. */
  | { readonly kind: 'refused'; readonly reason: string };

const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** Full jitter: anything up to a bound that doubles with each failure in a row, from 0.5 to 30 seconds. */
export function retryDelayMs(failures: number, random: () => number): number {
  return random() * Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** Math.max(0, failures - 1));
}

/** Milliseconds from `now` to what a `Retry-After` header says, in seconds or as a date; `undefined` when it says nothing. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Reads an answer. A 2xx that is not JSON with the key `acknowledgement` was given by somebody else, such as a
 * proxy's log-in page, and acknowledges nothing.
 */
export function judge(answer: TransportAnswer, acknowledgement: string, now: number): Verdict {
  const { status, headers } = answer;
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const afterMs = parseRetryAfter(headers['retry-after'], sentAt(answer) ?? now);
    return { kind: 'retry', reason: reasonOf(answer), ...(afterMs === undefined ? {} : { afterMs }) };
  }
  if (status === 401 || status === 403) return { kind: 'shut-out', problem: 'key-refused', reason: reasonOf(answer) };
  if (status === 404 && errorCodeOf(answer) === 'not_found') return { kind: 'refused', reason: reasonOf(answer) };
  if (status === 404 || status < 200 || (status >= 300 && status < 400)) return wrongAddress(answer);
  if (status >= 400) return { kind: 'refused', reason: reasonOf(answer) };
  return acknowledgement in (parseObject(answer.body) ?? {}) ? { kind: 'accepted' } : wrongAddress(answer);
}

/** The clock of the service, by which it means its dates; ours may be another one. */
function sentAt({ headers }: TransportAnswer): number | undefined {
  const date = Date.parse(headers['date'] ?? '');
  return Number.isNaN(date) ? undefined : date;
}

function wrongAddress(answer: TransportAnswer): Verdict {
  const location = answer.headers['location'];
  const reason =
    location === undefined ? reasonOf(answer) : `${answer.status}, redirected to "${withoutSecrets(location)}"`;
  return { kind: 'shut-out', problem: 'wrong-address', reason };
}

/** Users and what is asked of a log-in page do not belong into messages. */
function withoutSecrets(address: string): string {
  return address.replace(/[?#].*$/s, '?…').replace(/\/\/[^/]*@/, '//…@');
}

function reasonOf({ status, headers, body }: TransportAnswer): string {
  const { reason } = (parseObject(body) ?? {}) as { reason?: unknown };
  if (typeof reason === 'string') return `${status}, ${reason.slice(0, 300)}`;
  return `${status}, ${headers['content-type'] ?? 'no content type'}`;
}

/** Only a trace service gives one: it was asked in the right place for a thing that is not there. */
function errorCodeOf({ body }: TransportAnswer): unknown {
  return ((parseObject(body) ?? {}) as { error_code?: unknown }).error_code;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
