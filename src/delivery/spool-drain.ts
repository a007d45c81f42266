import { claimLeftOvers, freeSegmentsOf } from '../spool/left-overs.ts';
import type { SegmentFile } from '../spool/segment-file.ts';
import type { SegmentTarget } from '../spool/segment-format.ts';
import { NO_RECORDS, type OwnSegment, type Spool } from '../spool/spool.ts';
import type { Connection } from './connection.ts';
import type { SegmentFate } from './delivery-stats.ts';
import type { OpenLane } from './lanes.ts';
import type { ObjectDelivery } from './object-delivery.ts';
import type { Report } from './problem.ts';
import { deliverSegment, deliverSegmentNow, type SegmentResult } from './segment-delivery.ts';
import type { BlockingTransport } from './transport.ts';

export interface SpoolDrainOptions {
  readonly home: string | undefined;
  readonly spool: Spool;
  /** Left-overs of ended programs with this target are delivered too. */
  readonly segmentTarget: SegmentTarget;
  readonly objects: ObjectDelivery;
  readonly openLane: OpenLane;
  readonly report: Report;
  /** A segment of this process is gone. */
  readonly onSettled: (fate: SegmentFate) => void;
}

/** How long a segment waits with something in it that does not get through to a service that takes all else. */
const SEGMENT_RETRY_MS = 30_000;

/** From the disk to the service: what this process wrote there, and once what ended programs left. */
export class SpoolDrain {
  readonly #options: SpoolDrainOptions;
  #draining: Promise<void> | undefined;
  #leftOvers: Promise<void> | undefined;
  #hasSoughtLeftOvers = false;

  constructor(options: SpoolDrainOptions) {
    this.#options = options;
  }

  /** Is something on its way that ended programs left? */
  get hasLeftOversUnderway(): boolean {
    return this.#leftOvers !== undefined;
  }

  /** Looks for left-overs again at the next opportunity. */
  forgetLeftOvers(): void {
    this.#hasSoughtLeftOvers = false;
  }

  /** A thread of this process has ended, perhaps without a word. False when it left nothing on disk. */
  takeOver(threadId: number): boolean {
    const { home } = this.#options;
    if (home === undefined || !freeSegmentsOf(home, threadId)) return false;
    this.forgetLeftOvers();
    return true;
  }

  /** Resolves when what this process had on disk at the call has been tried. Never rejects. */
  async drainAll(connection: Connection): Promise<void> {
    // The run that is under way began before.
    await this.#draining;
    await this.drain(connection);
  }

  /** One run at a time: resolves with the one that is under way, or with a new one. Never rejects. */
  drain(connection: Connection): Promise<void> {
    this.#draining ??= this.#drainOwn(connection).finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  /** What ended programs left is nobody's business but theirs who can wait. Never rejects. */
  drainLeftOvers(connection: Connection): Promise<void> {
    if (this.#hasSoughtLeftOvers || !connection.isUsable) return this.#leftOvers ?? Promise.resolve();
    this.#hasSoughtLeftOvers = true;
    const run = this.#drainClaimed(connection, this.#leftOvers).finally(() => {
      if (this.#leftOvers === run) this.#leftOvers = undefined;
    });
    this.#leftOvers = run;
    return run;
  }

  /** Sends what this process has on disk while this thread waits. Stops at the first thing that is not taken. */
  drainNow(connection: Connection, transport: BlockingTransport): void {
    const { spool, onSettled } = this.#options;
    spool.recall();
    spool.seal();
    for (let segment = spool.take(); segment; segment = spool.take()) {
      const found = deliverSegmentNow(segment.file, { connection, transport });
      if (!found) return spool.putBack(segment);
      const damaged = missing(segment, found);
      if (spool.remove(segment)) onSettled({ count: segment.count, refused: NO_RECORDS, damaged });
    }
  }

  async #drainOwn(connection: Connection): Promise<void> {
    const { spool } = this.#options;
    spool.seal();
    for (let left = spool.sealedCount; left > 0 && connection.isUsable; left--) {
      const segment = spool.take();
      if (segment) await this.#drainSegment(connection, segment);
    }
  }

  async #drainSegment(connection: Connection, segment: OwnSegment): Promise<void> {
    const { spool, onSettled } = this.#options;
    const { file, count, retryAt } = segment;
    if (retryAt !== undefined && performance.now() < retryAt) return spool.putBack(segment, { retryAt });
    const result = await this.#deliver(connection, file);
    if (!result) return spool.putBack(segment);
    if (!result.isComplete) {
      return spool.putBack(segment, connection.isUsable ? { retryAt: performance.now() + SEGMENT_RETRY_MS } : {});
    }
    const fate = { count, refused: result.refused, damaged: missing(segment, result.found) };
    if (spool.remove(segment)) onSettled(fate);
  }

  async #drainClaimed(connection: Connection, before: Promise<void> | undefined): Promise<void> {
    await before;
    const { home, segmentTarget } = this.#options;
    if (home === undefined) return;
    const isOurs = ({ url, project }: SegmentTarget) => url === segmentTarget.url && project === segmentTarget.project;
    for (const file of claimLeftOvers(home, isOurs)) {
      const result = await this.#deliver(connection, file);
      if (result?.isComplete) file.remove();
      else file.release();
      if (!connection.isUsable) return;
    }
  }

  /** `undefined` when it could not even be tried: nothing of it is lost. */
  async #deliver(connection: Connection, file: SegmentFile): Promise<SegmentResult | undefined> {
    const { objects, openLane, report } = this.#options;
    try {
      return await deliverSegment(file, { connection, objects, calls: await openLane('calls'), report });
    } catch (cause) {
      report('spool-unreadable', `Cannot read records on disk: ${String(cause)}. They are tried again`, { cause });
      return undefined;
    }
  }
}

function missing({ count }: OwnSegment, found: OwnSegment['count']): OwnSegment['count'] {
  return { calls: Math.max(0, count.calls - found.calls), objects: Math.max(0, count.objects - found.objects) };
}
