import type { SegmentTarget } from '../spool/segment-format.ts';
import type { QueueLimits } from './queue/backlog.ts';
import type { OwnRun } from './own-run.ts';
import type { Report } from './problem.ts';
import type { OpenBlockingTransport, OpenTransport, TransportTarget } from './transport/transport.ts';

export interface FlushOptions {
  readonly timeoutMs: number;
  /** Waits for what ended programs left, too, for this target. @default false */
  readonly withOrphans?: boolean;
}

export interface DeliveryOptions {
  /** The state folder; `undefined` when there is none. */
  readonly home: string | undefined;
  /** The service now; `undefined` while there is none. */
  readonly resolveTarget: () => TransportTarget | undefined;
  /** The target of records in the spool: named in segments, and orphaned segments of the same one are delivered too. */
  readonly segmentTarget: SegmentTarget;
  readonly openTransport: OpenTransport;
  /** For the end of the process; without it records of which the service has no word by then stay on disk. */
  readonly openBlockingTransport?: OpenBlockingTransport;
  readonly report: Report;
  /** The run that calls belong to. @default none is told */
  readonly run?: OwnRun | undefined;
  /** Called when records go to the spool because there is no service. */
  readonly onNoService?: () => void;
  /** Called when something was recorded after `close`: it is on disk, for others to deliver. */
  readonly onOrphan?: () => void;
  readonly limits?: QueueLimits;
  readonly spoolBytes?: number;
  /** Writes records to disk at the end of each turn of the event loop, before they are sent. @default false */
  readonly isWrittenAhead?: boolean;
  readonly random?: () => number;
}
