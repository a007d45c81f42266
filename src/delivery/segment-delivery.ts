import type PQueue from 'p-queue';
import { setImmediate } from '../host/timers.ts';
import type { SegmentFile } from '../spool/segment-file.ts';
import type { SpooledCount } from '../spool/spool.ts';
import { Batch } from './batch.ts';
import { batchPost, deliverBatch, refusalMessage } from './batch-delivery.ts';
import type { Connection } from './connection.ts';
import { type ObjectDelivery, objectRefusalMessage } from './object-delivery.ts';
import { publicationPost } from './object-post.ts';
import type { Report } from './problem.ts';
import { partsOf, type SegmentPart, type SpooledPublication } from './segment-parts.ts';
import type { BlockingTransport } from './transport.ts';

export interface SegmentCarrier {
  readonly connection: Connection;
  readonly objects: ObjectDelivery;
  /** The lane of calls: several batches go at a time. */
  readonly calls: PQueue;
  readonly report: Report;
}

export interface SegmentResult {
  /** False when something did not get through: the segment is sent again as a whole, which is harmless. */
  isComplete: boolean;
  /** What the file held. */
  readonly found: RecordCount;
  readonly refused: RecordCount;
}

type RecordCount = { -readonly [Kind in keyof SpooledCount]: number };

/** Like `deliverSegment`; `undefined`, and reported, where the segment cannot be read: nothing of it is lost. */
export async function tryToDeliverSegment(
  segment: SegmentFile,
  carrier: SegmentCarrier,
): Promise<SegmentResult | undefined> {
  try {
    return await deliverSegment(segment, carrier);
  } catch (cause) {
    const message = `Cannot read records on disk: ${String(cause)}. They are tried again`;
    carrier.report('spool-unreadable', message, { cause });
    return undefined;
  }
}

/** Sends what a segment holds: calls side by side, and beside them files and objects in their order. */
async function deliverSegment(segment: SegmentFile, carrier: SegmentCarrier): Promise<SegmentResult> {
  const { connection, calls } = carrier;
  const result: SegmentResult = { isComplete: true, found: noRecords(), refused: noRecords() };
  const underway: Promise<void>[] = [];
  for (const part of partsOf(segment)) {
    if (part === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    countPart(part, result.found);
    if (part instanceof Batch) {
      await calls.onSizeLessThan(1);
      underway.push(calls.add(() => deliverCalls(part, carrier, result)));
    } else await deliverObject(part, carrier, result);
    if (connection.isUsable) continue;
    result.isComplete = false;
    break;
  }
  await Promise.all(underway);
  return result;
}

/**
 * Sends what a segment holds while this thread waits, and tells what that was. `undefined` at the first thing that is
 * not taken: whoever reads the segment next has the time to find out why.
 */
export function deliverSegmentNow(
  segment: SegmentFile,
  { connection, transport }: { readonly connection: Connection; readonly transport: BlockingTransport },
): RecordCount | undefined {
  const found = noRecords();
  for (const part of partsOf(segment)) {
    if (part === undefined) continue;
    if (!connection.deliverNow([postOf(part)], transport)[0]) return undefined;
    countPart(part, found);
  }
  return found;
}

function noRecords(): RecordCount {
  return { calls: 0, objects: 0 };
}

function countPart(part: SegmentPart, count: RecordCount): void {
  if (part instanceof Batch) count.calls += part.count;
  else if (isCounted(part)) count.objects++;
}

function postOf(part: SegmentPart) {
  return part instanceof Batch ? batchPost(part) : publicationPost(part);
}

async function deliverCalls(batch: Batch, carrier: SegmentCarrier, result: SegmentResult): Promise<void> {
  await deliverBatch(carrier.connection, batch, {
    sent: () => undefined,
    refused: (part, reason) => {
      result.refused.calls++;
      carrier.report('record-refused', refusalMessage(part, reason), { count: 1 });
    },
    unreachable: () => {
      result.isComplete = false;
    },
  });
}

async function deliverObject(
  record: SpooledPublication,
  { connection, objects, report }: SegmentCarrier,
  result: SegmentResult,
): Promise<void> {
  const answer = await objects.deliverSpooled(connection, record);
  if (answer.kind === 'unreachable') result.isComplete = false;
  if (answer.kind !== 'refused') return;
  if (isCounted(record)) result.refused.objects++;
  report('object-refused', objectRefusalMessage(nameOfSpooled(record), answer.reason), { count: 1 });
}

/** Several lines may make one record: a file belongs to the object behind it, a piece to the last one of its table. */
function isCounted(record: SpooledPublication): boolean {
  if (record.kind === 'table') return record.table.isLast;
  return record.kind === 'object' || record.isAlone === true;
}

function nameOfSpooled(record: SpooledPublication): string {
  if (record.kind === 'object') return record.object.objectId;
  return record.kind === 'file' ? record.file.name : `table ${record.table.digest}`;
}
