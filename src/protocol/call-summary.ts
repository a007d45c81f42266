import type { CallStatus } from './call.ts';
import { opNameOf } from './ref.ts';

/** The facts of which the computed part of a summary (`summary.svc`) is made; times in microseconds. */
export interface CallOutcome {
  readonly exception: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** `summary.status_counts.error` where it is a number. */
  readonly descendantErrors: number | null;
}

/** Status of a call, the same in reads, filters and sorts: the first that matches. */
export function callStatus(outcome: CallOutcome): CallStatus {
  if (outcome.exception !== null) return 'error';
  if (outcome.endedAt === null) return 'running';
  return (outcome.descendantErrors ?? 0) > 0 ? 'descendant_error' : 'success';
}

/** Whole milliseconds from start to end, never below 0; null while the call runs. */
export function callLatencyMs(outcome: Pick<CallOutcome, 'startedAt' | 'endedAt'>): number | null {
  if (outcome.endedAt === null) return null;
  return Math.max(0, Math.floor((outcome.endedAt - outcome.startedAt) / 1000));
}

/** Name under which a call is shown: the display name, else the name of its op. */
export function callTraceName(displayName: string | null, opName: string): string {
  return displayName === null || displayName === '' ? opNameOf(opName) : displayName;
}
