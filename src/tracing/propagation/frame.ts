import type { ForeignParent, RecordedCall } from '../record/recorded-call.ts';
import type { Mask } from '../mask/mask.ts';
import type { Sample } from '../record/sampler.ts';

/** The scope that everything called from here on inherits; made by `withContext`, never changed. */
export interface Scope {
  readonly threadId: string | undefined;
  readonly runId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>> | undefined;
  readonly mask: Mask | undefined;
  readonly sample: Sample | undefined;
  /** `false`: nothing below is recorded, because it was switched off or its root was not sampled. */
  readonly isRecording: boolean;
  /** The root was not sampled: whatever is switched on below, nothing is recorded. */
  readonly isLeftOut: boolean;
  /** The parent of root calls, which `extract` found. */
  readonly foreign: ForeignParent | undefined;
}

/** Where a running function stands: the value of the AsyncLocalStorage. A recorded call is a frame itself. */
export interface Frame {
  readonly call: RecordedCall | undefined;
  readonly scope: Scope | undefined;
  /** Set by `traced.capture`: takes the first call made directly in this frame. */
  readonly catcher: CallCatcher | undefined;
  /** The span of OpenTelemetry in which the frame was entered, where that is not the one in which its call began. */
  readonly around?: object | undefined;
}

export interface CallCatcher {
  caught: RecordedCall | undefined;
}
