import type { SegmentFile } from '../spool/segment-file.ts';
import type { SpooledRecord } from '../spool/segment-format.ts';
import { Batch } from './batch.ts';
import { deliverBatch, refusalMessage } from './batch-delivery.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_ITEMS } from './batcher.ts';
import type { Connection, DeliveryResult } from './connection.ts';
import { type ObjectDelivery, objectRefusalMessage } from './object-delivery.ts';
import type { Report } from './problem.ts';

export interface SegmentResult {
  /** False when something did not get through: the segment is sent again as a whole, which is harmless. */
  isComplete: boolean;
  refusedCalls: number;
  refusedObjects: number;
}

/** Lines read between two turns of the event loop. */
const LINES_PER_TURN = 64;

/** Sends what a segment holds: files and objects in their order, calls in batches. */
export async function deliverSegment(
  connection: Connection,
  segment: SegmentFile,
  objects: ObjectDelivery,
  report: Report,
): Promise<SegmentResult> {
  const result: SegmentResult = { isComplete: true, refusedCalls: 0, refusedObjects: 0 };
  for await (const part of partsOf(segment)) {
    if (part instanceof Batch) await deliverCalls(connection, part, report, result);
    else await deliverObject(connection, part, objects, report, result);
    if (!connection.isUsable) break;
  }
  return result;
}

async function deliverCalls(
  connection: Connection,
  batch: Batch,
  report: Report,
  result: SegmentResult,
): Promise<void> {
  await deliverBatch(connection, batch, {
    sent: () => undefined,
    refused: (part, reason) => {
      result.refusedCalls++;
      report('record-refused', refusalMessage(part, reason), { count: 1 });
    },
    unreachable: () => {
      result.isComplete = false;
    },
  });
}

async function deliverObject(
  connection: Connection,
  record: SpooledPublication,
  objects: ObjectDelivery,
  report: Report,
  result: SegmentResult,
): Promise<void> {
  const answer = await deliverRecord(connection, record, objects);
  if (answer.kind === 'unreachable') result.isComplete = false;
  if (answer.kind !== 'refused') return;
  result.refusedObjects += isCounted(record) ? 1 : 0;
  report('object-refused', objectRefusalMessage(nameOfSpooled(record), answer.reason), { count: 1 });
}

type SpooledPublication = Exclude<SpooledRecord, { kind: 'call' }>;

function deliverRecord(
  connection: Connection,
  record: SpooledPublication,
  objects: ObjectDelivery,
): Promise<DeliveryResult> {
  if (record.kind === 'object') return objects.deliverObject(connection, record.object);
  if (record.kind === 'table') return objects.deliverSpooledTable(connection, record.table);
  return objects.deliverFile(connection, record.file);
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

type Part = Batch | SpooledPublication;

async function* partsOf(segment: SegmentFile): AsyncGenerator<Part> {
  let items: Buffer[] = [];
  let bytes = 0;
  let lines = 0;
  for (const record of segment.records()) {
    if (++lines % LINES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    if (record.kind !== 'call') {
      yield record;
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
}

/** These records were numbered when they were recorded, perhaps by another process. */
function batchOf(items: readonly Buffer[]): Batch {
  return Batch.of(
    items,
    items.map(() => 0),
  );
}
