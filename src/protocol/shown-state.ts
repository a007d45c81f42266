import type { CallStatus } from './call.ts';

/** The shown state of a call. The service calls it running while it has no end, even if nobody is left to send one. */
export type ShownState = CallStatus | 'never_ended';

/** A call without an end that began longer ago is taken for one that gets none, wherever its program runs. */
export const MAX_RUNNING_MS = 24 * 60 * 60 * 1000;

export interface ShownStateOptions {
  /** Milliseconds since 1970, as `startedAt`. */
  readonly now: number;
  readonly startedAt: number;
  /** Its process is known to have ended. */
  readonly isGone: boolean;
}

/** The state that a call of this status is shown in. */
export function shownState(status: CallStatus, { now, startedAt, isGone }: ShownStateOptions): ShownState {
  if (status !== 'running') return status;
  return isGone || now - startedAt > MAX_RUNNING_MS ? 'never_ended' : status;
}
