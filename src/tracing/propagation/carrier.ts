import { type Carrier, getField, setField } from './carrier-fields.ts';
import { spanIdOf } from '../../protocol/values/id.ts';
import { createTraceId, randomSpanId } from '../record/call-id.ts';
import type { Frame } from './frame.ts';
import { activeSpan } from './open-telemetry.ts';
import { currentFrame } from './outermost.ts';
import { readCarrier } from './read-carrier.ts';
import type { ForeignParent, RecordedCall } from '../record/recorded-call.ts';
import { registry } from './registry.ts';
import { clock } from '../record/clock.ts';
import { captureMembers, maskOf } from '../capture/capture-call.ts';
import { describe } from '../wrap/check-options.ts';
import { activeTracer, reportProblem } from '../record/tracer.ts';
import {
  addStateMember,
  ATTRIBUTES,
  BAGGAGE,
  formatTraceParent,
  MAX_ATTRIBUTES_LENGTH,
  NOT_RECORDED,
  setBaggage,
  THREAD,
  TRACE_PARENT,
  TRACE_STATE,
  type TraceParent,
  TURN,
} from './trace-context.ts';

export type { Carrier } from './carrier-fields.ts';

export interface InjectOptions {
  /** Sends inherited attributes along: all, or those named. Whoever gets the carrier can read them. @default false */
  readonly attributes?: boolean | readonly string[];
}

/**
 * Writes into `carrier` where the running call stands, so that what another process calls hangs below it: the fields
 * `traceparent` and `tracestate` of W3C Trace Context, and the thread as W3C baggage. Fields of others stay. Answers
 * the same carrier: a plain object, a `Headers`, a `Map`, or a copy of `process.env`, whose variables are written in
 * upper case. A process that starts with these goes on in the same trace by itself.
 *
 * @example
 * await fetch(url, { headers: inject({ accept: 'application/json' }) });
 * spawn('node', ['worker.js'], { env: inject({ ...process.env }) });
 */
export function inject<C extends Carrier>(carrier: C, options: InjectOptions = {}): C {
  if (typeof carrier !== 'object' || carrier === null || Array.isArray(carrier)) {
    throw new TypeError(`Cannot inject into ${describe(carrier)}: want an object, Headers or a Map`);
  }
  try {
    write(carrier, currentFrame(), options);
  } catch (error) {
    reportProblem('inject', 'Cannot write the context into a carrier', error);
  }
  return carrier;
}

/**
 * Runs `fn` below the call that `inject` wrote into `carrier` elsewhere, or below the span of another tracer. Without
 * one, or with fields that are none, `fn` runs as it would without. Returns what `fn` returns.
 *
 * @example
 * server.on('request', (request, response) => extract(request.headers, () => handle(request, response)));
 */
export function extract<Result>(carrier: Carrier, fn: () => Result): Result {
  if (typeof fn !== 'function') throw new TypeError(`Cannot run a value of type ${typeof fn}: want a function`);
  const frame = readCarrier(carrier, currentFrame());
  return frame === undefined ? fn() : registry.context.run(frame, fn);
}

function write(carrier: Carrier, frame: Frame | undefined, options: InjectOptions): void {
  const position = positionOf(frame);
  if (position !== undefined) {
    setField(carrier, TRACE_PARENT, formatTraceParent(position));
    const others = getField(carrier, TRACE_STATE) || receivedState(frame, position.traceId);
    setField(carrier, TRACE_STATE, addStateMember(others, position.state));
  }
  const members = {
    [THREAD]: frame?.scope?.threadId,
    [TURN]: frame?.call?.turnId ?? frame?.scope?.foreign?.turnId,
    [ATTRIBUTES]: attributesText(frame, options.attributes ?? false),
  };
  const before = getField(carrier, BAGGAGE);
  const baggage = setBaggage(before, members);
  if (baggage !== before) setField(carrier, BAGGAGE, baggage);
}

/** `undefined` where nothing is known: then a field that is there already is right. */
function positionOf(frame: Frame | undefined): (TraceParent & { readonly state: string }) | undefined {
  if (frame?.scope?.isRecording === false) return silentPosition(frame.call ?? frame.scope.foreign);
  if (frame?.call !== undefined) return positionOfCall(frame.call);
  const foreign = frame?.scope?.foreign;
  if (foreign === undefined || foreign.parentId === undefined) return undefined;
  const { traceId, parentId, isSampled } = foreign;
  return { traceId, spanId: spanIdOf(parentId), isSampled, state: parentId };
}

/** The state that other tracers gave to this trace has to be passed on. */
function receivedState(frame: Frame | undefined, traceId: string): string {
  const foreign = frame?.scope?.foreign;
  return foreign?.traceId === traceId ? (foreign.traceState ?? '') : '';
}

function positionOfCall({ traceId, id }: RecordedCall) {
  return { traceId, spanId: spanIdOf(id), isSampled: true, state: id };
}

/** A decision made here or at the root holds in every process below. */
function silentPosition(outer: Pick<ForeignParent, 'traceId'> | undefined) {
  const traceId = outer?.traceId ?? activeSpan()?.traceId ?? createTraceId(clock.now() + clock.offset);
  return { traceId, spanId: randomSpanId(), isSampled: false, state: NOT_RECORDED };
}

function attributesText(frame: Frame | undefined, wanted: boolean | readonly string[]): string | undefined {
  const all = frame?.scope?.attributes;
  const tracer = frame?.call?.tracer ?? activeTracer();
  if (wanted === false || all === undefined || tracer === undefined) return undefined;
  const names = wanted === true ? Object.keys(all) : wanted.filter((name) => Object.hasOwn(all, name));
  const chosen = Object.fromEntries(names.map((name) => [name, all[name]]));
  const { value } = captureMembers(chosen, 'attributes', maskOf(tracer, frame?.scope), tracer);
  const text = JSON.stringify(value);
  if (text.length <= MAX_ATTRIBUTES_LENGTH) return text;
  reportProblem('inject_attributes', 'Cannot send attributes along', `more than ${MAX_ATTRIBUTES_LENGTH} characters`);
  return undefined;
}
