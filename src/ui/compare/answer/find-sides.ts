import type { Call, CallFilter } from '../../../protocol/call.ts';
import { opNameOf } from '../../../protocol/ref.ts';
import { isId } from '../../../protocol/values/id.ts';
import type { CallsApi } from '../../../reader/calls.ts';
import { type ComparedTrace, previousTrace } from '../../../reader/compare/compare-traces.ts';
import type { PageApi } from '../../../reader/page.ts';
import type { RequestOptions } from '../../../reader/request.ts';
import { kindOf } from '../../call/call-kind.ts';
import type { ShownSide, Sides } from './answer.ts';
import { nameOf } from './pair-table.ts';

/** In the place of an id: the run before the one on the other side. */
export const PREVIOUS = 'prev';

/** Calls or traces that are asked for on each side. On whichever side they are, the earlier one is A. */
export function askedSides({ a, b }: Sides<string>): Sides<string> {
  return b === PREVIOUS ? { a: PREVIOUS, b: a } : { a, b };
}

export interface FoundSides {
  readonly sides: Partial<Sides<ShownSide>>;
  readonly isNoneBefore: boolean;
}

/** The part of a reader that is needed. */
interface CallReader {
  readonly calls: Pick<CallsApi, 'get' | 'query'>;
  readonly page?: Pick<PageApi, 'runs'>;
}

/** Finds the calls or traces of two ids, as far as there are such. */
export async function findSides(reader: CallReader, ids: Sides<string>, options: RequestOptions): Promise<FoundSides> {
  const { a, b } = askedSides(ids);
  if (a !== PREVIOUS) {
    const [one, other] = await Promise.all([sideOf(reader, a, options), sideOf(reader, b, options)]);
    return { sides: { ...(one && { a: one }), ...(other && { b: other }) }, isNoneBefore: false };
  }
  const later = await sideOf(reader, b, options);
  if (later === undefined) return { sides: {}, isNoneBefore: false };
  const before = await previousTrace(reader, comparedTrace(later), options);
  const earlier = before && (await sideAt(reader, before, options));
  if (earlier === undefined) return { sides: { b: later }, isNoneBefore: true };
  return { sides: { a: earlier, b: later }, isNoneBefore: false };
}

export function comparedTrace({ traceId, callId }: ShownSide): ComparedTrace {
  return { trace_id: traceId, call_id: callId };
}

/** Where an id is that of a trace and of a call, the trace is meant, as on the command line. */
async function sideOf(reader: CallReader, id: string, options: RequestOptions): Promise<ShownSide | undefined> {
  if (id === PREVIOUS || !isId(id)) return undefined;
  const [trace, call] = await Promise.all([
    firstOf(reader, { trace_ids: [id] }, options),
    firstOf(reader, { call_ids: [id] }, options),
  ]);
  if (trace !== undefined) return shownSide(trace, { trace_id: id });
  return call && shownSide(call, { trace_id: call.trace_id, call_id: call.id });
}

async function sideAt(
  reader: CallReader,
  compared: ComparedTrace,
  options: RequestOptions,
): Promise<ShownSide | undefined> {
  const { trace_id: traceId, call_id: callId } = compared;
  const filter = { trace_ids: [traceId], ...(callId !== undefined && { call_ids: [callId] }) };
  const call = await firstOf(reader, filter, options);
  return call && shownSide(call, compared);
}

/** As much as a head tells; contents come with the comparison. */
const COLUMNS = ['display_name', 'attributes'];

async function firstOf(reader: CallReader, filter: CallFilter, options: RequestOptions): Promise<Call | undefined> {
  for await (const call of reader.calls.query({ filter, limit: 1, columns: COLUMNS }, options)) return call;
  return undefined;
}

function shownSide(call: Call, { trace_id: traceId, call_id: callId }: ComparedTrace): ShownSide {
  return {
    id: callId ?? traceId,
    traceId,
    ...(callId !== undefined && { callId }),
    firstId: call.id,
    name: nameOf(call),
    op: opNameOf(call.op_name),
    kind: kindOf(call.attributes),
    startedAt: Date.parse(call.started_at),
  };
}
