import { isObject } from '../../protocol/values/parsed-object.ts';
import { isId, isThreadId, spanIdOf } from '../../protocol/values/id.ts';
import { type Carrier, getField } from './carrier-fields.ts';
import type { Frame, Scope } from './frame.ts';
import {
  ATTRIBUTES,
  BAGGAGE,
  baggageMember,
  MAX_ATTRIBUTES_LENGTH,
  NOT_RECORDED,
  parseTraceParent,
  stateMember,
  THREAD,
  TRACE_PARENT,
  TRACE_STATE,
  type TraceParent,
  TURN,
} from './trace-context.ts';
import { registry } from './registry.ts';
import { reportProblem } from '../record/tracer.ts';

/** The frame that a carrier names, inside of `outer`; `undefined` when it names none. Never throws. */
export function readCarrier(carrier: Carrier, outer: Frame | undefined): Frame | undefined {
  try {
    if (typeof carrier !== 'object' || carrier === null) return undefined;
    return read(carrier, outer);
  } catch (error) {
    reportProblem('extract', 'Cannot read the context out of a carrier', error);
    return undefined;
  }
}

function read(carrier: Carrier, outer: Frame | undefined): Frame | undefined {
  const baggage = getField(carrier, BAGGAGE);
  const threadId = baggageMember(baggage, THREAD);
  const isThread = threadId !== undefined && isThreadId(threadId);
  const turnId = baggageMember(baggage, TURN);
  const traceState = getField(carrier, TRACE_STATE);
  const state = stateMember(traceState);
  const parent = parseTraceParent(getField(carrier, TRACE_PARENT));
  const attributes = readAttributes(baggageMember(baggage, ATTRIBUTES));
  if (parent === undefined && !isThread && attributes === undefined) return undefined;
  // Without a valid `traceparent` there is no trace that `tracestate` could speak of.
  const isLeftOut = (parent !== undefined && state === NOT_RECORDED) || (outer?.scope?.isLeftOut ?? false);
  const scope: Scope = {
    threadId: isThread ? threadId : outer?.scope?.threadId,
    runId: outer?.scope?.runId,
    attributes: attributes === undefined ? outer?.scope?.attributes : { ...outer?.scope?.attributes, ...attributes },
    mask: outer?.scope?.mask,
    sample: outer?.scope?.sample,
    isRecording: !isLeftOut && (outer?.scope?.isRecording ?? true),
    isLeftOut,
    foreign:
      parent === undefined
        ? outer?.scope?.foreign
        : {
            ...foreignOf(parent, state),
            threadId,
            turnId: validId(turnId),
            traceState,
            around: registry.bridge?.activeSpan(),
          },
  };
  return { call: parent === undefined ? outer?.call : undefined, scope, catcher: outer?.catcher };
}

/** The call that our entry names is the parent when no other tracer took part since: its span id is in both fields. */
function foreignOf({ traceId, spanId, isSampled }: TraceParent, state: string | undefined) {
  const isOurs = state !== undefined && isId(state) && spanIdOf(state) === spanId;
  return { traceId, parentId: isOurs ? state : spanId, isSampled };
}

/** The service would refuse every call with an id that is none. */
function validId(text: string | undefined): string | undefined {
  return text !== undefined && isId(text) ? text : undefined;
}

function readAttributes(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined || text.length > MAX_ATTRIBUTES_LENGTH) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { ...value } : undefined;
  } catch {
    // Somebody else's baggage under our name.
    return undefined;
  }
}
