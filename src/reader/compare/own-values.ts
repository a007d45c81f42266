import type { Call } from '../../protocol/call.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';

/** Parts of the values of a trace that are of the trace itself, and so are others in every other one. */
export interface OwnValues {
  /** Ids of its calls, and its own. */
  readonly ids: ReadonlySet<string>;
  /** Microseconds since 1970 between which it ran. */
  readonly from: number;
  readonly to: number;
}

/** Programs round to whole seconds, and read the clock before the first call begins and after the last has ended. */
const MARGIN_MICROS = 2_000_000;

export function ownValuesOf(calls: readonly Call[]): OwnValues {
  const ids = new Set<string>();
  let [from, to] = [Infinity, -Infinity];
  for (const { id, trace_id: traceId, started_at: start, ended_at: end } of calls) {
    ids.add(id).add(traceId);
    const begun = parseDateTime(start) ?? from;
    from = Math.min(from, begun);
    to = Math.max(to, begun, end === null ? begun : (parseDateTime(end) ?? begun));
  }
  return { ids, from: from - MARGIN_MICROS, to: to + MARGIN_MICROS };
}

/** Does a text tell an instant at which the trace ran, as in `2026-01-31T14:09:01Z`? */
export function isOwnInstant(text: string, own: OwnValues): boolean {
  if (text.length < SHORTEST_INSTANT || text.length > LONGEST_INSTANT || text[4] !== '-') return false;
  return isWithin(parseDateTime(text), own);
}

const SHORTEST_INSTANT = 19;
const LONGEST_INSTANT = 35;

/** The same of a number of seconds, milliseconds or microseconds since 1970. */
export function isOwnTime(value: number, own: OwnValues): boolean {
  // Nothing that counts anything else is as large by chance, and within minutes.
  return MICROS_OF_UNITS.some((micros) => isWithin(value * micros, own));
}

const MICROS_OF_UNITS: readonly number[] = [1_000_000, 1000, 1];

function isWithin(micros: number | undefined, { from, to }: OwnValues): boolean {
  return micros !== undefined && micros >= from && micros <= to;
}

/**
 * Ids that services of models make anew for each answer: `chatcmpl-…`, `msg_…`, `call_…`. What stands behind is one long word of
 * letters and digits, or a UUID: names that people give, as `item-0042` and `run-2026-01-31`, begin with the same words.
 */
const ID_OF_ANSWER =
  /^(?:chatcmpl|cmpl|msg|resp|rs|call|fc|toolu|srvtoolu|tool|req|gen|run|aitxt|aiobj|fp|ws|batch|item)[-_](?:(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{10,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function isIdOfAnswer(text: string): boolean {
  return text.length < 200 && ID_OF_ANSWER.test(text);
}

const WORD_OF_RUN = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?|[\w-]{8,200}/g;

/** A longer text, as an error or JSON within a text, without what of it is of the run. Slow: not for texts that are equal anyway. */
export function withoutOwnWords(text: string, own: OwnValues): string {
  return text.replaceAll(WORD_OF_RUN, (word) => (isOwnWord(word, own) ? '\u0000' : word));
}

function isOwnWord(word: string, own: OwnValues): boolean {
  if (own.ids.has(word) || isIdOfAnswer(word) || isOwnInstant(word, own)) return true;
  return /^\d{10,16}$/.test(word) && isOwnTime(Number(word), own);
}

/** Members that name an answer or what gave it. */
const NAMES_OF_ANSWERS: ReadonlySet<string> = new Set([
  'responseId',
  'response_id',
  'requestId',
  'request_id',
  '_request_id',
  'system_fingerprint',
]);

export function isNameOfAnswer(key: string): boolean {
  return NAMES_OF_ANSWERS.has(key);
}

const TOKEN_COUNT = /^(?:prompt|completion|input|output|total|candidates)_?token(?:s|_?count)?$/i;

const USE = /usage|tokens?$/i;

/** Is the member a count of tokens, of which a summary tells? It holds numbers alone: they are no difference. */
export function isTokenCount(key: string, value: object): boolean {
  return USE.test(key) && Object.keys(value).some((name) => TOKEN_COUNT.test(name)) && hasNumbersAlone(value);
}

function hasNumbersAlone(value: object): boolean {
  return Object.values(value).every((member: unknown) => {
    if (typeof member === 'object' && member !== null) return hasNumbersAlone(member);
    return typeof member === 'number' || member === null;
  });
}
