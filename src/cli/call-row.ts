import type { Call, CallStatus } from '../protocol/call.ts';
import { callTraceName } from '../protocol/call-summary.ts';
import { parseDateTime } from '../protocol/values/date-time.ts';
import { opNameOf } from '../protocol/ref.ts';
import { type Sender, senderIn } from '../protocol/sender.ts';
import { isJsonObject } from '../protocol/values/json-object.ts';

export interface TokenCount {
  readonly input: number;
  readonly output: number;
  readonly total: number;
}

/** Name under which a call is shown. */
export function nameOf(call: Call): string {
  return callTraceName(call.display_name, call.op_name);
}

/** Name of the op without project and version. */
export function opOf(call: Call): string {
  return opNameOf(call.op_name);
}

export function statusOf(call: Call): CallStatus {
  const status = memberOf(memberOf(call.summary, 'svc'), 'status');
  // The service computes it at every read.
  return status as CallStatus;
}

/** The process, which the outermost calls in it tell. */
export function processOf(call: Call): Sender | undefined {
  const svc = memberOf(call.attributes, 'svc');
  return isJsonObject(svc) ? senderIn(svc) : undefined;
}

/** Microseconds from start to end; `undefined` while the call has no end. */
export function durationOf(call: Call): number | undefined {
  if (call.ended_at === null) return undefined;
  const start = parseDateTime(call.started_at);
  const end = parseDateTime(call.ended_at);
  return start === undefined || end === undefined ? undefined : Math.max(0, end - start);
}

/** Tokens of a call and, as clients add them up, of its descendants; `undefined` when it used no model. */
export function tokensOf(call: Call): TokenCount | undefined {
  return sumOf(Object.values(usageOf(call)).map(tokensOfModel));
}

/** Tokens of calls of which none contains another. */
export function sumOfTokens(calls: readonly Call[]): TokenCount | undefined {
  return sumOf(calls.flatMap((call) => tokensOf(call) ?? []));
}

function sumOf(counts: readonly TokenCount[]): TokenCount | undefined {
  if (counts.length === 0) return undefined;
  return counts.reduce((sum, count) => ({
    input: sum.input + count.input,
    output: sum.output + count.output,
    total: sum.total + count.total,
  }));
}

export function modelsOf(call: Call): string[] {
  return Object.keys(usageOf(call));
}

/** The attributes of the program for the call, at its start and later; not what the library and the service add. */
export function attributesOf(call: Call): Readonly<Record<string, unknown>> {
  const { svc: _process, otel_span: _span, ...own } = call.attributes;
  const later = memberOf(call.summary, 'attributes');
  return { ...own, ...(typeof later === 'object' ? later : {}) };
}

/** How a stream was read: its chunks, the time to the first one, and why it was over. */
export function streamOf(call: Call): unknown {
  return memberOf(call.summary, 'stream');
}

/** Calls in the tree below this one, itself included, as its client counted them; `undefined` when it did not. */
export function countedCallsOf(call: Call): number | undefined {
  const counts = memberOf(call.summary, 'status_counts');
  const numbers = [memberOf(counts, 'success'), memberOf(counts, 'error')];
  if (!numbers.some((count) => typeof count === 'number')) return undefined;
  return numbers.reduce<number>((sum, count) => sum + numberOf(count), 0);
}

function usageOf(call: Call): Record<string, unknown> {
  const usage = memberOf(call.summary, 'usage');
  // A JSON object has string keys.
  return typeof usage === 'object' && usage !== null ? (usage as Record<string, unknown>) : {};
}

const INPUT_KEYS = [
  'prompt_tokens',
  'input_tokens',
  'cache_read_tokens',
  'cache_read_input_tokens',
  'cache_write_tokens',
  'cache_creation_input_tokens',
];
const OUTPUT_KEYS = ['completion_tokens', 'output_tokens', 'reasoning_tokens'];

/** Producers use one of two namings for tokens; the buckets share none. */
function tokensOfModel(usage: unknown): TokenCount {
  const count = (keys: readonly string[]) => keys.reduce((sum, key) => sum + numberOf(memberOf(usage, key)), 0);
  const [input, output] = [count(INPUT_KEYS), count(OUTPUT_KEYS)];
  const total = memberOf(usage, 'total_tokens');
  return { input, output, total: typeof total === 'number' ? total : input + output };
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
