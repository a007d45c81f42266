import { expect } from 'vitest';
import type { Recording } from '../tracing/recording.ts';

export interface RecordedRequest {
  readonly op: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
  readonly exception: string | null | undefined;
  readonly summary: Readonly<Record<string, Record<string, Record<string, unknown>>>>;
}

/** The only call, without what differs from run to run. */
export function recordedCall(recording: Recording): RecordedRequest {
  const calls = recording.calls();
  expect(calls.length).toBe(1);
  const [call] = calls;
  if (call?.end === undefined) throw new Error('The call has not ended');
  const { start, end } = call;
  const { status_counts: _counts, ...summary } = end.summary ?? {};
  const { svc: _svc, ...attributes } = start.attributes ?? {};
  return {
    op: start.op_name,
    attributes,
    inputs: start.inputs ?? {},
    output: end.output as Record<string, unknown>,
    exception: end.exception,
    summary: summary as RecordedRequest['summary'],
  };
}
