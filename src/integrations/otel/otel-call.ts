import { createTraceState, type Span, type SpanContext, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import { spanIdOf } from '../../protocol/values/id.ts';
import type { RecordedEnd, RecordedStart } from '../../protocol/record.ts';
import {
  addStateMember,
  type CallSpan,
  clock,
  cover,
  createCallId,
  type RecordedCall,
  type UsageSum,
} from '../../tracing/instrument.ts';
import { attributesAtEnd, attributesAtStart, exceptionEvent, usageAttributes } from './gen-ai-attributes.ts';
import { guarded } from './guarded.ts';
import { hrTimeOf } from './hr-time.ts';

export interface OtelCallOptions {
  /** Do spans carry inputs and outputs? */
  readonly content: boolean;
}

interface OtelCallSetup {
  readonly startedAt: number;
  readonly around: object | undefined;
  /** `undefined`: the program exports no calls, or its provider made no span. */
  readonly span: Span | undefined;
  /** Of the spans of calls. */
  readonly options?: OtelCallOptions | undefined;
  /** The span is one of the program, which ends it by itself. */
  readonly isForeign?: boolean;
  /** Told the span that stands for the call. */
  readonly onBegin?: (span: Span, call: RecordedCall) => void;
}

/** A call and its span: ids that fit together, and what is recorded in the words of OpenTelemetry. */
export class OtelCall implements CallSpan {
  readonly callId: string;
  readonly traceId: string | undefined;
  readonly startedAt: number;
  /** The span that was active when the call began. */
  readonly around: object | undefined;
  readonly #setup: OtelCallSetup;
  #own: Span | undefined;
  #kind: unknown;

  constructor(setup: OtelCallSetup) {
    const { startedAt, around, span, isForeign } = setup;
    const context = span?.spanContext();
    this.#setup = setup;
    this.startedAt = startedAt;
    this.around = around;
    this.traceId = context?.traceId;
    this.callId = isForeign === true && context ? context.spanId : createCallId(wallOf(startedAt), context?.spanId);
    if (isForeign === true) this.#own = span;
  }

  /** The span that OpenTelemetry sees running inside of the call. */
  get own(): Span | undefined {
    return this.#own;
  }

  begin(call: RecordedCall, start: RecordedStart): void {
    if (this.#setup.isForeign === true) return;
    guarded(() => {
      const { span, options, onBegin } = this.#setup;
      this.#own = span === undefined ? stand(call) : naming(span, call.id);
      onBegin?.(this.#own, call);
      this.#kind = start.attributes['kind'];
      if (options !== undefined) span?.setAttributes(attributesAtStart(start, options));
    });
  }

  addUsage(model: string, usage: UsageSum): void {
    const { span, isForeign } = this.#setup;
    if (isForeign !== true) guarded(() => span?.setAttributes(usageAttributes(model, usage)));
  }

  end(end: RecordedEnd): void {
    const { span, options, isForeign } = this.#setup;
    if (isForeign === true || span === undefined) return;
    const endedAt = hrTimeOf(parseDateTime(end.ended_at) ?? wallOf(clock.now()));
    guarded(() => {
      if (options !== undefined) span.setAttributes(attributesAtEnd(end, this.#kind, options));
      if (end.exception === undefined) return;
      const { type, attributes, message } = exceptionEvent(end.exception);
      span.setAttribute('error.type', type);
      span.addEvent('exception', attributes, endedAt);
      span.setStatus({ code: SpanStatusCode.ERROR, message });
    });
    guarded(() => span.end(endedAt));
  }
}

function wallOf(monotonic: number): number {
  return monotonic + clock.offset;
}

/** A span of nobody: it tells what begins below the call where it is. */
function stand({ traceId, id }: RecordedCall): Span {
  const context: SpanContext = { traceId, spanId: spanIdOf(id), traceFlags: TraceFlags.SAMPLED };
  return trace.wrapSpanContext(withCall(context, id));
}

/** Spans below and services that it is exported to learn the id of the call, of which a span id is a part. */
function naming(span: Span, callId: string): Span {
  const context = withCall(span.spanContext(), callId);
  cover(span, 'spanContext', () => context);
  return span;
}

function withCall(context: SpanContext, callId: string): SpanContext {
  const others = context.traceState?.serialize() ?? '';
  return { ...context, traceState: createTraceState(addStateMember(others, callId)) };
}
