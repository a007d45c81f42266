import { setImmediate } from '../../host/timers.ts';
import type { SegmentFile } from '../../spool/segment-file.ts';
import type { SpooledCount } from '../../spool/spool.ts';
import { Batch } from '../batch/batch.ts';
import { batchPost, deliverBatch, refusalMessage } from '../batch/batch-delivery.ts';
import type { ServiceClient } from '../transport/service-client.ts';
import { type ObjectDelivery, objectRefusalMessage } from '../objects/object-delivery.ts';
import type { Lane } from '../queue/lanes.ts';
import { publicationPost } from '../objects/object-post.ts';
import type { Report } from '../problem.ts';
import { partsOf, type SegmentPart, type SpooledPublication } from './segment-parts.ts';
import { SegmentRest } from './segment-rest.ts';
import type { BlockingTransport } from '../transport/transport.ts';

export interface SegmentCarrier {
  readonly service: ServiceClient;
  readonly objects: ObjectDelivery;
  /** The lane of calls: several batches go at a time. */
  readonly calls: Lane;
  readonly report: Report;
}

export interface SegmentResult {
  /** Was all of it tried? Else the segment is sent again as a whole, which is harmless. */
  isComplete: boolean;
  /** Has the service spoken about something of it? */
  hasSettled: boolean;
  /** Counts of the records that the file held. */
  readonly found: RecordCount;
  readonly refused: RecordCount;
  /** The records that did not get through, while all else did. */
  readonly rest: SegmentRest;
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
  const { service, calls } = carrier;
  const result = noResult();
  const { run } = segment.head();
  const underway: Promise<void>[] = [];
  let publication: SpooledPublication[] = [];
  for (const part of partsOf(segment)) {
    if (part === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    countPart(part, result.found);
    if (part instanceof Batch) {
      await calls.onSizeLessThan(1);
      underway.push(calls.add(() => deliverCalls(part, run, carrier, result)));
    } else {
      publication.push(part);
      if (!isCounted(part)) continue;
      await deliverPublication(publication, carrier, result);
      publication = [];
    }
    if (!service.isUsable) break;
  }
  // Files whose object could not be read.
  if (publication.length > 0 && service.isUsable) await deliverPublication(publication, carrier, result);
  await Promise.all(underway);
  result.isComplete &&= service.isUsable;
  return result;
}

function noResult(): SegmentResult {
  return { isComplete: true, hasSettled: false, found: noRecords(), refused: noRecords(), rest: new SegmentRest() };
}

/**
 * Sends what a segment holds while this thread waits, and tells what that was. `undefined` at the first thing that is
 * not taken: whoever reads the segment next has the time to find out why.
 */
export function deliverSegmentNow(
  segment: SegmentFile,
  { service, transport }: { readonly service: ServiceClient; readonly transport: BlockingTransport },
): RecordCount | undefined {
  const found = noRecords();
  const { run } = segment.head();
  for (const part of partsOf(segment)) {
    if (part === undefined) continue;
    if (service.deliverNow([postOf(part, run)], transport)[0]?.kind !== 'accepted') return undefined;
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

function postOf(part: SegmentPart, run: string | undefined) {
  return part instanceof Batch ? batchPost(part, run) : publicationPost(part);
}

async function deliverCalls(
  batch: Batch,
  run: string | undefined,
  carrier: SegmentCarrier,
  result: SegmentResult,
): Promise<void> {
  await deliverBatch(carrier.service, batch, {
    run,
    sent: () => {
      result.hasSettled = true;
    },
    refused: (part, reason) => {
      result.hasSettled = true;
      result.refused.calls++;
      carrier.report('record-refused', refusalMessage(part, reason), { count: 1 });
    },
    unreachable: (part) => {
      if (carrier.service.isUsable) result.rest.addCalls(part);
      else result.isComplete = false;
    },
  });
}

/** The lines that make one record: without one of them the service would not take those behind it. */
async function deliverPublication(
  lines: readonly SpooledPublication[],
  carrier: SegmentCarrier,
  result: SegmentResult,
): Promise<void> {
  const isThrough = !result.rest.continuesIn(lines) && (await deliverLines(lines, carrier, result));
  if (isThrough) result.hasSettled = true;
  else if (carrier.service.isUsable) result.rest.addPublication(lines, lines.filter(isCounted).length);
  else result.isComplete = false;
}

/** False at the first one that does not get through. */
async function deliverLines(
  lines: readonly SpooledPublication[],
  { service, objects, report }: SegmentCarrier,
  result: SegmentResult,
): Promise<boolean> {
  for (const line of lines) {
    const answer = await objects.deliverSpooled(service, line);
    if (answer.kind === 'unreachable') return false;
    if (answer.kind !== 'refused') continue;
    if (isCounted(line)) result.refused.objects++;
    report('object-refused', objectRefusalMessage(nameOfSpooled(line), answer.reason), { count: 1 });
  }
  return true;
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
