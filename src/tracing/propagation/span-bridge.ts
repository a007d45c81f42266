import type { RecordedEnd, RecordedStart } from '../../protocol/record.ts';
import type { Frame } from './frame.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import type { UsageSum } from '../record/usage.ts';

/**
 * A bridge from calls to spans of OpenTelemetry, in one tree, where the program uses `spoor/otel`. Nothing here throws:
 * it runs inside of what is traced.
 */
export interface SpanBridge {
  /** The span that OpenTelemetry takes for the running one, as an object. */
  activeSpan(): object | undefined;
  /** Where a call begins: in `frame`, or in a span that is further in. */
  innermost(frame: Frame | undefined): Frame | undefined;
  /** The span of a call that is about to begin; `undefined` where it gets none. */
  startSpan(opName: string, kind: string | undefined): CallSpan | undefined;
}

/** A call's link to its span, with ids that others know. It tells the span what is recorded, in the same copies. */
export interface CallSpan {
  /** Id of the call, which ends in the span id. */
  readonly callId: string;
  /** Of a root call. */
  readonly traceId: string | undefined;
  /** Microseconds of the monotonic clock. */
  readonly startedAt: number;
  begin(call: RecordedCall, start: RecordedStart): void;
  addUsage(model: string, usage: UsageSum): void;
  end(end: RecordedEnd): void;
}
