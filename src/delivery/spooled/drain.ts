import { claimOrphans, listSegments, setHeadlessAside, sizeOf } from '../../spool/orphaned-segments.ts';
import type { DamagedSegment } from '../../spool/segment-file.ts';
import type { SegmentTarget } from '../../spool/segment-format.ts';
import { ServiceClient } from '../transport/service-client.ts';
import { laneOpener } from '../queue/lanes.ts';
import { settleOrphan } from './orphaned-segment.ts';
import { ObjectDelivery } from '../objects/object-delivery.ts';
import { damagedMessage, type Report } from '../problem.ts';
import { tryToDeliverSegment } from './segment-delivery.ts';
import type { OpenTransport, TransportTarget } from '../transport/transport.ts';

export interface DrainOptions {
  /** The state folder. */
  readonly home: string;
  readonly target: TransportTarget;
  /** The segments that belong to the target. */
  readonly accepts: (target: SegmentTarget) => boolean;
  readonly openTransport: OpenTransport;
  readonly report: Report;
  /** Told after each segment: bytes that were looked at, of those that were there when it began. */
  readonly onProgress?: (done: number, whole: number) => void;
}

export interface DrainResult {
  readonly segments: number;
  readonly bytes: number;
  /** Records that the service will never take, each of them reported. */
  readonly refused: number;
  /** Lines that could not be read, and where the files are kept that they stand in. */
  readonly damaged: number;
  readonly kept: readonly string[];
  /** Why not everything was delivered: what is left waits on. */
  readonly failure: string | undefined;
}

/** Delivers what ended programs left on disk for one service, oldest first. Stops where the service does not answer. */
export async function drain(options: DrainOptions): Promise<DrainResult> {
  const { home, target, accepts, openTransport, report, onProgress } = options;
  const service = new ServiceClient({ target, openTransport, report, isServiceThere: () => true });
  const calls = await laneOpener()('calls');
  const carrier = { service, objects: new ObjectDelivery(), calls, report };
  const done = { segments: 0, bytes: 0, refused: 0, damaged: 0, kept: [] as string[] };
  const keepDamaged = (damaged: DamagedSegment) => {
    done.damaged += damaged.count;
    done.kept.push(damaged.path);
    report('spool-damaged', damagedMessage(damaged), { count: damaged.count });
  };
  const whole = onProgress === undefined ? 0 : bytesFor(home, accepts);
  let looked = 0;
  let failure: string | undefined;
  try {
    for (const headless of setHeadlessAside(home)) keepDamaged(headless);
    for (const segment of claimOrphans(home, accepts)) {
      const bytes = sizeOf(segment.path) ?? 0;
      const result = await tryToDeliverSegment(segment, carrier);
      looked += bytes;
      onProgress?.(looked, Math.max(whole, looked));
      const { isDone, damaged } = settleOrphan(home, segment, result);
      if (!result) continue;
      done.refused += result.refused.calls + result.refused.objects;
      if (isDone) {
        done.segments += 1;
        done.bytes += bytes;
      }
      if (damaged) keepDamaged(damaged);
      if (isDone) continue;
      failure = service.lastError ?? 'something on the way refuses records';
      if (!service.isUsable) return { ...done, failure };
    }
    return { ...done, failure };
  } finally {
    service.close();
  }
}

function bytesFor(home: string, accepts: (target: SegmentTarget) => boolean): number {
  const waiting = listSegments(home).filter(({ isOrphan, target }) => isOrphan && target && accepts(target));
  return waiting.reduce((sum, { bytes }) => sum + bytes, 0);
}
