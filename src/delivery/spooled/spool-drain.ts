import { performance } from '../../host/clock.ts';
import { claimOrphans, freeSegmentsOf, setHeadlessAside } from '../../spool/orphaned-segments.ts';
import type { DamagedSegment, SegmentFile } from '../../spool/segment-file.ts';
import type { SegmentTarget } from '../../spool/segment-format.ts';
import { NO_RECORDS, type OwnSegment, type Spool, type SpooledCount } from '../../spool/spool.ts';
import { blockedPauseMs } from '../transport/blocked-pause.ts';
import type { ServiceClient } from '../transport/service-client.ts';
import type { SegmentFate } from '../queue/delivery-stats.ts';
import type { Lane, OpenLane } from '../queue/lanes.ts';
import { settleOrphan } from './orphaned-segment.ts';
import type { ObjectDelivery } from '../objects/object-delivery.ts';
import type { Report } from '../problem.ts';
import { deliverSegmentNow, type SegmentResult, tryToDeliverSegment } from './segment-delivery.ts';
import type { BlockingTransport } from '../transport/transport.ts';

export interface SpoolDrainOptions {
  readonly home: string | undefined;
  readonly spool: Spool;
  /** Orphaned segments of ended programs with this target are delivered too. */
  readonly segmentTarget: SegmentTarget;
  readonly objects: ObjectDelivery;
  readonly openLane: OpenLane;
  readonly report: Report;
  /** A segment of this process is gone. */
  readonly onSettled: (fate: SegmentFate) => void;
  /** Not all of an orphaned segment could be read; what could has arrived. */
  readonly onDamaged: (segment: DamagedSegment) => void;
}

/** From the disk to the service: what this process wrote there, and once what ended programs left. */
export class SpoolDrain {
  readonly #options: SpoolDrainOptions;
  #draining: Promise<void> | undefined;
  #orphans: Promise<void> | undefined;
  #wantsOrphans = true;
  #orphansAt = 0;
  #orphanRetries = 0;

  constructor(options: SpoolDrainOptions) {
    this.#options = options;
  }

  /** Is something on its way that ended programs left? */
  get hasOrphansUnderway(): boolean {
    return this.#orphans !== undefined;
  }

  /** Is something to be looked for that ended programs left? */
  get wantsOrphans(): boolean {
    return this.#wantsOrphans;
  }

  /** Looks for orphaned segments again at the next opportunity. */
  wantOrphans(): void {
    this.#wantsOrphans = true;
    this.#orphansAt = 0;
  }

  /** A thread of this process has ended, perhaps without a word. False when it left nothing on disk. */
  takeOver(threadId: number): boolean {
    const { home } = this.#options;
    if (home === undefined || !freeSegmentsOf(home, threadId)) return false;
    this.wantOrphans();
    return true;
  }

  /** Resolves when what this process had on disk at the call has been tried. */
  async drainAll(service: ServiceClient): Promise<void> {
    // The run that is under way began before.
    await this.#draining;
    await this.drain(service);
  }

  /** One run at a time: resolves with the one that is under way, or with a new one. */
  drain(service: ServiceClient): Promise<void> {
    this.#draining ??= this.#drainOwn(service).finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  /** One run at a time. Apart from the own segments: nobody but who can wait waits for what ended programs left. */
  drainOrphans(service: ServiceClient): Promise<void> {
    const isDue = this.#wantsOrphans && service.isUsable && performance.now() >= this.#orphansAt;
    if (isDue) this.#orphans ??= this.#seekOrphans(service);
    return this.#orphans ?? Promise.resolve();
  }

  /** Sends what this process has on disk while this thread waits. Stops at the first thing that is not taken. */
  drainNow(service: ServiceClient, transport: BlockingTransport): void {
    const { spool } = this.#options;
    spool.recall();
    spool.seal();
    for (let left = spool.sealedCount; left > 0; left--) {
      const segment = spool.take();
      if (!segment) return;
      if (isWaiting(segment)) {
        spool.putBack(segment, segment);
        continue;
      }
      const found = deliverSegmentNow(segment.file, { service, transport });
      if (!found) return spool.putBack(segment);
      this.#settle(segment, { count: segment.count, refused: NO_RECORDS, damaged: missing(segment, found) });
    }
  }

  async #drainOwn(service: ServiceClient): Promise<void> {
    const { spool, openLane } = this.#options;
    const calls = await openLane('calls');
    spool.seal();
    for (let left = spool.sealedCount; left > 0 && service.isUsable; left--) {
      const segment = spool.take();
      if (segment) await this.#drainSegment(service, calls, segment);
    }
  }

  async #drainSegment(service: ServiceClient, calls: Lane, segment: OwnSegment): Promise<void> {
    const { spool } = this.#options;
    if (isWaiting(segment)) return spool.putBack(segment, segment);
    const result = await this.#deliver(service, calls, segment.file);
    if (!result?.isComplete) return spool.putBack(segment, service.isUsable ? retryOf(segment) : {});
    const { rest, refused, found } = result;
    if (!rest.isEmpty && !this.#divide(segment, result)) return spool.putBack(segment, retryOf(segment));
    const count = difference(segment.count, rest.count);
    this.#settle(segment, { count, refused, damaged: missing(segment, found) });
  }

  /** Lines that do not get through wait in a segment of their own. False where nothing else is there, or no room. */
  #divide(segment: OwnSegment, { rest, hasSettled }: SegmentResult): boolean {
    const { spool } = this.#options;
    const left = hasSettled ? spool.divide(segment, rest.lines(), rest.count) : undefined;
    if (left) spool.putBack(left, retryOf(segment));
    return left !== undefined;
  }

  #settle(segment: OwnSegment, fate: SegmentFate): void {
    const { spool, onSettled } = this.#options;
    const isWhole = fate.damaged.calls + fate.damaged.objects === 0;
    if (isWhole ? spool.remove(segment) : spool.setAside(segment)) onSettled(fate);
  }

  async #seekOrphans(service: ServiceClient): Promise<void> {
    this.#wantsOrphans = false;
    try {
      const isDone = await this.#drainClaimed(service);
      if (isDone) this.#orphanRetries = 0;
      else this.#seekLater();
    } catch (cause) {
      this.#seekLater();
      throw cause;
    } finally {
      this.#orphans = undefined;
    }
  }

  #seekLater(): void {
    this.#wantsOrphans = true;
    this.#orphansAt = performance.now() + blockedPauseMs(++this.#orphanRetries);
  }

  /** False when something is left. */
  async #drainClaimed(service: ServiceClient): Promise<boolean> {
    const { home, segmentTarget, openLane } = this.#options;
    if (home === undefined) return true;
    const calls = await openLane('calls');
    let isDone = true;
    for (const headless of setHeadlessAside(home)) this.#options.onDamaged(headless);
    const isOurs = ({ url, project }: SegmentTarget) => url === segmentTarget.url && project === segmentTarget.project;
    for (const file of claimOrphans(home, isOurs)) {
      const result = await this.#deliver(service, calls, file);
      const settled = settleOrphan(home, file, result);
      if (settled.damaged) this.#options.onDamaged(settled.damaged);
      isDone &&= settled.isDone;
      if (!service.isUsable) return false;
    }
    return isDone;
  }

  #deliver(service: ServiceClient, calls: Lane, file: SegmentFile): Promise<SegmentResult | undefined> {
    const { objects, report } = this.#options;
    return tryToDeliverSegment(file, { service, objects, calls, report });
  }
}

function isWaiting({ retryAt }: OwnSegment): boolean {
  return retryAt !== undefined && performance.now() < retryAt;
}

function retryOf({ retries = 0 }: OwnSegment): Pick<OwnSegment, 'retryAt' | 'retries'> {
  return { retryAt: performance.now() + blockedPauseMs(retries + 1), retries: retries + 1 };
}

function missing({ count }: OwnSegment, found: SpooledCount): SpooledCount {
  const { calls, objects } = difference(count, found);
  return { calls: Math.max(0, calls), objects: Math.max(0, objects) };
}

function difference(one: SpooledCount, other: SpooledCount): SpooledCount {
  return { calls: one.calls - other.calls, objects: one.objects - other.objects };
}
