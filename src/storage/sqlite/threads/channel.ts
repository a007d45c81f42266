import type { AnswerTo, Request } from './requests.ts';
import type { Recovery } from '../upkeep/recovery.ts';

export interface SendOptions {
  readonly deadlineMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The way to an endpoint. */
export interface Channel {
  /** Rejects with `unavailable` when the endpoint cannot be opened. */
  readonly ready: Promise<Recovery>;
  /** Requests on their way. */
  readonly pendingCount: number;
  /** Groups of writes that the endpoint has committed. */
  readonly groupCount: number;
  /** A broken channel carries nothing more; whoever owns it opens another. */
  readonly isBroken: boolean;
  send<Asked extends Request>(request: Asked, options?: SendOptions): Promise<AnswerTo<Asked>>;
  /** Finishes what was sent, then ends. */
  close(): Promise<void>;
}
