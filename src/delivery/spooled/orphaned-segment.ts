import type { DamagedSegment, SegmentFile } from '../../spool/segment-file.ts';
import { writeRest } from '../../spool/segment-rest.ts';
import type { SegmentResult } from './segment-delivery.ts';

export interface SettledOrphan {
  /** Is nothing of it left? */
  readonly isDone: boolean;
  readonly damaged?: DamagedSegment | undefined;
}

/** The fate of a segment of an ended program: what did not get through waits for whoever looks next, and only that. */
export function settleOrphan(home: string, segment: SegmentFile, result: SegmentResult | undefined): SettledOrphan {
  if (result?.isComplete && result.rest.isEmpty) return { isDone: true, damaged: segment.finish() };
  const rest = result?.isComplete && result.hasSettled ? restOf(home, segment, result) : undefined;
  if (!rest) {
    segment.release();
    return { isDone: false };
  }
  rest.release();
  return { isDone: false, damaged: segment.finish() };
}

/** `undefined` where there is no room for it: then all of it is sent again, which is harmless. */
function restOf(home: string, segment: SegmentFile, { rest }: SegmentResult): SegmentFile | undefined {
  try {
    return writeRest(home, segment, rest.lines());
  } catch {
    return undefined;
  }
}
