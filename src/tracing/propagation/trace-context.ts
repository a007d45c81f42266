import { wellFormedText } from '../../host/well-formed.ts';

/** The header fields of W3C Trace Context and W3C Baggage: https://www.w3.org/TR/trace-context, https://www.w3.org/TR/baggage */
export const TRACE_PARENT = 'traceparent';
export const TRACE_STATE = 'tracestate';
export const BAGGAGE = 'baggage';

/** Our entry of `tracestate`: the id of the calling call, or `NOT_RECORDED`. */
export const STATE_KEY = 'spoor';
/** The trace goes on, and nothing of it is recorded. */
export const NOT_RECORDED = 'none';

/** Our entries of the baggage. */
export const THREAD = 'spoor-thread';
export const TURN = 'spoor-turn';
export const ATTRIBUTES = 'spoor-attributes';

/** Servers refuse headers that are much longer. */
export const MAX_ATTRIBUTES_LENGTH = 4096;

const SAMPLED = 1;
/** Members of `tracestate` that everybody has to pass on. */
const MAX_STATE_MEMBERS = 32;

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

export function formatTraceParent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** `undefined` for what is no valid field; versions to come are read as far as they are known. */
export function parseTraceParent(text: string): TraceParent | undefined {
  const match = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(
    text.trim(),
  );
  const [, traceId, spanId, flags, more] = match ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (text.trim().startsWith('00') && more !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** Puts our member first, as the last one who changed the trace, and drops what is too much. */
export function addStateMember(text: string, value: string): string {
  const others = membersOf(text).filter((member) => keyOf(member) !== STATE_KEY);
  return [`${STATE_KEY}=${value}`, ...others].slice(0, MAX_STATE_MEMBERS).join(',');
}

export function stateMember(text: string): string | undefined {
  return memberValue(text, STATE_KEY);
}

/** Baggage with these members in place of those of the same names; `undefined` takes one away. */
export function setBaggage(text: string, members: Readonly<Record<string, string | undefined>>): string {
  const others = membersOf(text).filter((member) => !Object.hasOwn(members, keyOf(member)));
  const ours = Object.entries(members).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(wellFormedText(value))}`],
  );
  return [...others, ...ours].join(',');
}

/** The decoded value; `undefined` when there is none or it cannot be decoded. */
export function baggageMember(text: string, key: string): string | undefined {
  const value = memberValue(text, key)?.split(';', 1)[0];
  try {
    return value === undefined ? undefined : decodeURIComponent(value.trim());
  } catch {
    // Baggage comes from others; what cannot be decoded says nothing.
    return undefined;
  }
}

function memberValue(text: string, key: string): string | undefined {
  const member = membersOf(text).find((candidate) => keyOf(candidate) === key);
  return member?.slice(member.indexOf('=') + 1).trim();
}

function membersOf(text: string): string[] {
  return text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member.includes('='));
}

function keyOf(member: string): string {
  return member.slice(0, member.indexOf('=')).trim();
}
