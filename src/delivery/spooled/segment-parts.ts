import type { SegmentFile } from '../../spool/segment-file.ts';
import type { SpooledRecord } from '../../spool/segment-format.ts';
import { Batch } from '../batch/batch.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_ITEMS } from '../batch/batcher.ts';

export type SpooledPublication = Exclude<SpooledRecord, { kind: 'call' }>;

/** A part that goes to the service in one request. */
export type SegmentPart = Batch | SpooledPublication;

/** Lines read between two turns of the event loop. */
const LINES_PER_TURN = 64;

/**
 * A segment's records: calls in batches, then files, tables and objects in order. Calls come first, as who sends them
 * may not have the time for everything. Yields `undefined` where the caller may give the event loop a turn.
 */
export function* partsOf(segment: SegmentFile): Generator<SegmentPart | undefined> {
  const publications: SpooledPublication[] = [];
  let items: Buffer[] = [];
  let bytes = 0;
  let lines = 0;
  for (const record of segment.records()) {
    if (++lines % LINES_PER_TURN === 0) yield;
    if (record.kind !== 'call') {
      publications.push(record);
      continue;
    }
    const item = Buffer.from(record.text);
    if (items.length === MAX_BATCH_ITEMS || (items.length > 0 && bytes + item.length > MAX_BATCH_BYTES)) {
      yield batchOf(items);
      items = [];
      bytes = 0;
    }
    items.push(item);
    bytes += item.length;
  }
  if (items.length > 0) yield batchOf(items);
  yield* publications;
}

/** These records were numbered when they were recorded, perhaps by another process. */
function batchOf(items: readonly Buffer[]): Batch {
  return Batch.of(
    items,
    items.map(() => 0),
  );
}
