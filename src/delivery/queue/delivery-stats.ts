import type { SpooledCount } from '../../spool/spool.ts';
import type { DropReason, Ledger } from './ledger.ts';

export interface Counts {
  readonly recorded: number;
  readonly queued: number;
  readonly sent: number;
  readonly spooled: number;
  readonly dropped: number;
}

export interface DeliveryStats extends Counts {
  readonly droppedByReason: Partial<Record<DropReason, number>>;
  /** Objects, counted apart from the records of calls. */
  readonly objects: Counts;
  readonly queuedBytes: number;
  readonly longestEncodeMs: number;
  /** Records of earlier processes that the spool's limit cost. */
  readonly evicted: number;
  /** Lines that earlier processes left on disk and that could not be read; their files are kept aside. */
  readonly damaged: number;
  readonly lastError: string | undefined;
  /** Address of the service in use. */
  readonly url: string | undefined;
}

const NONE = { recorded: 0, queued: 0, sent: 0, spooled: 0, dropped: 0 } satisfies Counts;

/** Of where nothing was recorded. */
export const NO_STATS: DeliveryStats = {
  ...NONE,
  droppedByReason: {},
  objects: NONE,
  queuedBytes: 0,
  longestEncodeMs: 0,
  evicted: 0,
  damaged: 0,
  lastError: undefined,
  url: undefined,
};

export interface Counted {
  readonly ledger: Ledger;
  readonly count: number;
}

export function countsOf({ ledger, count }: Counted): Counts {
  return { recorded: ledger.recorded, queued: count, ...ledger.total };
}

/** The fate of the records of a segment that was read to its end. */
export interface SegmentFate {
  readonly count: SpooledCount;
  readonly refused: SpooledCount;
  /** Were written, and could not be read again. */
  readonly damaged: SpooledCount;
}

export function settleSegment(what: keyof SpooledCount, { ledger }: Counted, fate: SegmentFate): void {
  const [refused, damaged] = [fate.refused[what], fate.damaged[what]];
  ledger.deliverSpooled(fate.count[what] - refused - damaged);
  ledger.dropSpooled(refused, 'refused');
  ledger.dropSpooled(damaged, 'spool-damaged');
}
