import type PQueue from 'p-queue';
import { claimLeftOvers, freeSegmentsOf } from '../spool/left-overs.ts';
import type { SegmentFile } from '../spool/segment-file.ts';
import type { SegmentTarget } from '../spool/segment-format.ts';
import type { OwnSegment, Spool, SpooledCount } from '../spool/spool.ts';
import type { Connection } from './connection.ts';
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
  /** The lane of calls. */
  readonly openQueue: () => Promise<PQueue>;
  readonly report: Report;
  /** What this process had on disk has arrived, but for what was refused. */
  readonly onDelivered: (delivered: SpooledCount, refused: SpooledCount) => void;
}

/** How long a segment waits with something in it that does not get through to a service that takes all else. */
const SEGMENT_RETRY_MS = 30_000;
const NONE: SpooledCount = { calls: 0, objects: 0 };

/** From the disk to the service: what this process wrote there, and once what ended programs left. */
export class SpoolDrain {
  readonly #options: SpoolDrainOptions;
  #draining: Promise<void> | undefined;
  #hasSoughtLeftOvers = false;

  constructor(options: SpoolDrainOptions) {
    this.#options = options;
  }

  /** Has it been looked for what ended programs left? */
  get hasSoughtLeftOvers(): boolean {
    return this.#hasSoughtLeftOvers;
  }

  /** A thread of this process has ended, perhaps without a word. False when it left nothing on disk. */
  takeOver(threadId: number): boolean {
    const { home } = this.#options;
    if (home === undefined || !freeSegmentsOf(home, threadId)) return false;
    this.#hasSoughtLeftOvers = false;
    return true;
  }

  /** Resolves when what was on disk at the call has been tried. */
  async drainAll(connection: Connection): Promise<void> {
    // The run that is under way began before.
    await this.#draining;
    await this.drain(connection);
  }

  /** One run at a time: resolves with the one that is under way, or with a new one. */
  drain(connection: Connection): Promise<void> {
    this.#draining ??= this.#drainOnce(connection).finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  /** Sends what this process has on disk while this thread waits. Stops at the first thing that is not taken. */
  drainNow(connection: Connection, transport: BlockingTransport): void {
    const { spool, onDelivered } = this.#options;
    spool.recall();
    spool.seal();
    for (let segment = spool.take(); segment; segment = spool.take()) {
      if (!deliverSegmentNow(segment.file, { connection, transport })) return spool.putBack(segment);
      if (spool.remove(segment)) onDelivered(segment.count, NONE);
    }
  }

  async #drainOnce(connection: Connection): Promise<void> {
    await this.#drainOwn(connection);
    if (this.#hasSoughtLeftOvers || !connection.isUsable) return;
    this.#hasSoughtLeftOvers = true;
    await this.#drainLeftOvers(connection);
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
    const { spool, onDelivered } = this.#options;
    const { file, count, retryAt } = segment;
    if (performance.now() < (retryAt ?? 0)) return spool.putBack(segment, segment);
    const { isComplete, refusedCalls, refusedObjects } = await this.#deliver(connection, file);
    if (!isComplete) {
      return spool.putBack(segment, connection.isUsable ? { retryAt: performance.now() + SEGMENT_RETRY_MS } : {});
    }
    if (spool.remove(segment)) onDelivered(count, { calls: refusedCalls, objects: refusedObjects });
  }

  async #drainLeftOvers(connection: Connection): Promise<void> {
    const { home, segmentTarget } = this.#options;
    if (home === undefined) return;
    const isOurs = ({ url, project }: SegmentTarget) => url === segmentTarget.url && project === segmentTarget.project;
    for (const file of claimLeftOvers(home, isOurs)) {
      const { isComplete } = await this.#deliver(connection, file);
      if (isComplete) file.remove();
      else file.release();
      if (!connection.isUsable) return;
    }
  }

  async #deliver(connection: Connection, file: SegmentFile): Promise<SegmentResult> {
    const { objects, openQueue, report } = this.#options;
    const calls = await openQueue();
    return deliverSegment(file, { connection, objects, calls, report });
  }
}
