import type { DamagedSegment } from '../../spool/segment-file.ts';
import type { SpooledCount } from '../../spool/spool.ts';
import type { ObjectLane } from '../objects/object-lane.ts';
import { damagedMessage, type Report } from '../problem.ts';
import { type Counted, type SegmentFate, settleSegment } from '../queue/delivery-stats.ts';

export interface SpoolFatesOptions {
  readonly calls: Counted;
  readonly objects: Pick<ObjectLane, 'ledger' | 'count' | 'forgetKept'>;
  readonly report: Report;
}

/** The fate of records on disk, of this process and of ended ones: it is counted, and what is lost is said. */
export class SpoolFates {
  readonly #options: SpoolFatesOptions;
  #evicted = 0;
  #damaged = 0;

  constructor(options: SpoolFatesOptions) {
    this.#options = options;
  }

  /** Records of earlier processes that the spool's limit cost. */
  get evicted(): number {
    return this.#evicted;
  }

  /** Lines of earlier processes that could not be read. */
  get damaged(): number {
    return this.#damaged;
  }

  /** A segment of this process was read to its end. */
  settle(fate: SegmentFate): void {
    const { calls, objects, report } = this.#options;
    const damaged = fate.damaged.calls + fate.damaged.objects;
    const message =
      'Records were lost: somebody removed or changed their file in the state folder; what is left of it is kept aside';
    if (damaged > 0) report('spool-damaged', message, { count: damaged });
    settleSegment('calls', calls, fate);
    settleSegment('objects', objects, fate);
  }

  /** A segment that an ended program left. */
  addDamaged(segment: DamagedSegment): void {
    const { count } = segment;
    this.#damaged += count;
    this.#options.report('spool-damaged', damagedMessage(segment), { count });
  }

  addEvicted({ own, foreign }: { readonly own: SpooledCount; readonly foreign: number }): void {
    const { calls, objects, report } = this.#options;
    calls.ledger.dropSpooled(own.calls, 'spool-full');
    objects.ledger.dropSpooled(own.objects, 'spool-full');
    if (own.objects > 0) objects.forgetKept();
    this.#evicted += foreign;
    report('spool-full', 'The oldest records on disk were removed: the state folder is full', {
      count: own.calls + own.objects + foreign,
    });
  }
}
