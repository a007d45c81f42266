import { Date } from '../../host/clock.ts';
import { ERROR_CODES, type ErrorCode, parseRetryAfter } from '../../protocol/error.ts';
import { itemsNamedIn, type NamedItem } from '../../protocol/values/named-items.ts';
import { nameAnswer, parseObject } from './answer-name.ts';
import type { TransportAnswer } from './transport.ts';

/** The meaning of an answer for the records that were sent. */
export type Verdict =
  | { readonly kind: 'accepted' }
  /** The same request may succeed later. */
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number }
  /** Wrong key or wrong address: nothing will succeed until somebody changes that. */
  | ShutOut
  /** The word of the service: this body is not acceptable; others may be. */
  | Refusal;

export interface ShutOut {
  readonly kind: 'shut-out';
  readonly problem: 'key-refused' | 'wrong-address';
  readonly reason: string;
  /** Somebody else than the service answered. @default false */
  readonly isForeign?: boolean;
  /** The service answered, with a code that this version does not know. @default false */
  readonly isOfOtherVersion?: boolean;
  /** It may be about this body alone, as of a firewall; of a key or address it is until that was seen to be right. */
  readonly mayBeOf?: 'body' | 'key-or-body';
}

export interface Refusal {
  readonly kind: 'refused';
  readonly reason: string;
  /** Indexes of the items of a batch that it is about, with what is wrong about each; empty where the service names none. */
  readonly items: ReadonlyMap<number, NamedItem>;
}

/** Does a body acknowledge what was sent? */
export type IsAcknowledgement = (body: object) => boolean;

const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** Who asks for a longer pause is asked again after this one: a slip of a proxy must not keep records back for a day. */
const MAX_RETRY_AFTER_MS = 5 * 60_000;

/** Full jitter: anything up to a bound that doubles with each failure in a row, from 0.5 to 30 seconds. */
export function retryDelayMs(failures: number, random: () => number): number {
  return random() * Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** Math.max(0, failures - 1));
}

/**
 * Reads an answer. Only the service itself may accept or refuse: by the acknowledgement of what was sent, or by an
 * `error_code` of the protocol. Everything else was said by somebody on the way or in its place, such as a proxy, a page to
 * log in or another program on that port, and says nothing about the records.
 */
export function judge(answer: TransportAnswer, isAcknowledgement: IsAcknowledgement, now: number): Verdict {
  const { status, headers } = answer;
  const body = parseObject(answer.body);
  const code = codeOf(body);
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const askedMs = parseRetryAfter(headers['retry-after'], sentAt(answer) ?? now);
    const pause = askedMs === undefined ? {} : { afterMs: Math.min(askedMs, MAX_RETRY_AFTER_MS) };
    return { kind: 'retry', reason: nameAnswer(answer), ...pause };
  }
  if (status >= 400) return code === undefined ? foreign(answer, body) : refusal(answer, code, body);
  const isTaken = status >= 200 && status < 300 && body !== undefined && isAcknowledgement(body);
  return isTaken ? { kind: 'accepted' } : elsewhere(answer);
}

/** The clock of the service, by which it means its dates; ours may be another one. */
function sentAt({ headers }: TransportAnswer): number | undefined {
  const date = Date.parse(headers['date'] ?? '');
  return Number.isNaN(date) ? undefined : date;
}

function elsewhere(answer: TransportAnswer): ShutOut {
  return { kind: 'shut-out', problem: 'wrong-address', reason: nameAnswer(answer), isForeign: true };
}

/** The word of somebody else against a request, or of a service of another version. */
function foreign(answer: TransportAnswer, body: object | undefined): ShutOut {
  const isOfKey = answer.status === 401 || answer.status === 403;
  const mayBeOf = isOfKey || answer.status === 404 ? 'key-or-body' : 'body';
  const isOfOtherVersion = isError(body);
  const whose = { isForeign: !isOfOtherVersion, isOfOtherVersion };
  return { ...elsewhere(answer), ...(isOfKey ? { problem: 'key-refused' } : {}), mayBeOf, ...whose };
}

/** Does it look like an error of the protocol, whatever its code is? */
function isError(body: object | undefined): boolean {
  const { error_code: code, reason, request_id: id } = (body ?? {}) as Record<string, unknown>;
  const isCode = typeof code === 'string' && /^[a-z][a-z0-9_]*$/i.test(code);
  return isCode && typeof reason === 'string' && ['string', 'undefined'].includes(typeof id);
}

function refusal(answer: TransportAnswer, code: ErrorCode, body: object | undefined): Verdict {
  const reason = nameAnswer(answer);
  if (ERROR_CODES[code].isRetryable) return { kind: 'retry', reason };
  if (code === 'unauthenticated' || code === 'forbidden') return { kind: 'shut-out', problem: 'key-refused', reason };
  if (OF_THE_WAY.has(code)) return { kind: 'shut-out', problem: 'wrong-address', reason, mayBeOf: 'body' };
  const { detail } = (body ?? {}) as { detail?: unknown };
  return { kind: 'refused', reason, items: itemsNamedIn(detail, 'batch') };
}

/** These are about how it was asked, which is right for a service at the right address: something on the way changed it. */
const OF_THE_WAY: ReadonlySet<ErrorCode> = new Set(['unknown_path', 'method_not_allowed', 'unsupported_media_type']);

/** A code that the protocol has on the wire; `undefined` says that somebody else answered. */
function codeOf(body: object | undefined): ErrorCode | undefined {
  const { error_code: code } = (body ?? {}) as { error_code?: unknown };
  if (typeof code !== 'string' || !Object.hasOwn(ERROR_CODES, code)) return undefined;
  // It is one of the keys, as was just seen.
  return ERROR_CODES[code as ErrorCode].status === 0 ? undefined : (code as ErrorCode);
}
