import type { NamedItem } from '../../protocol/values/named-items.ts';
import type { Batch } from './batch.ts';
import { acknowledgesItems, type ServiceClient, type Post } from '../transport/service-client.ts';
import type { Refusal } from '../transport/retry.ts';

/** The run of a batch, and the fate of it or of parts of it; together the parts are the whole. */
export interface BatchOutcome {
  /** As `formatRun` writes it; `undefined` for calls of no known run. */
  readonly run: string | undefined;
  readonly sent: (part: Batch) => void;
  /** One record that the service does not accept. */
  readonly refused: (part: Batch, reason: string) => void;
  readonly unreachable: (part: Batch) => void;
}

/**
 * Sends a batch, and no bad record takes a good one with it: where the service names bad items, all others go again
 * without them; where it names none, or somebody on the way lets nothing of it pass, it is cut in halves until these are
 * alone.
 */
export async function deliverBatch(service: ServiceClient, batch: Batch, outcome: BatchOutcome): Promise<void> {
  const result = await service.deliver(batchPost(batch, outcome.run));
  if (result.kind === 'accepted') return outcome.sent(batch);
  if (result.kind === 'refused') return deliverRefused(service, batch, result, outcome);
  if (!result.isBlocked || batch.count === 1) return outcome.unreachable(batch);
  await deliverParts(service, batch.split(), outcome);
}

async function deliverRefused(
  service: ServiceClient,
  batch: Batch,
  refusal: Refusal,
  outcome: BatchOutcome,
): Promise<void> {
  const { refused, again } = divideRefused(batch, refusal);
  for (const { part, reason } of refused) outcome.refused(part, reason);
  await deliverParts(service, again, outcome);
}

/** The parts of a refused batch: records the service does not accept, and those worth sending without these. */
export function divideRefused(batch: Batch, { reason, items }: Refusal) {
  const named = itemsOf(batch, items);
  if (batch.count === 1) return { refused: [{ part: batch, reason }], again: [] };
  if (named.length === 0) return { refused: [], again: batch.split() };
  const { picked, rest } = batch.without(named.map(([index]) => index));
  const refused = picked.map((part, at) => ({ part, reason: named[at]?.[1].message ?? reason }));
  return { refused, again: rest ? [rest] : [] };
}

async function deliverParts(service: ServiceClient, parts: readonly Batch[], outcome: BatchOutcome): Promise<void> {
  for (const part of parts) await deliverBatch(service, part, outcome);
}

/** Indexes and reasons, in the order of the batch. */
function itemsOf({ count }: Batch, items: ReadonlyMap<number, NamedItem>): (readonly [number, NamedItem])[] {
  return [...items].filter(([index]) => index >= 0 && index < count).sort(([one], [other]) => one - other);
}

export function batchPost(batch: Batch, run: string | undefined): Post {
  const { count } = batch;
  return {
    path: '/call/upsert_batch',
    body: batch.body(),
    name: () => `a record of call "${batch.firstId() ?? 'without id'}"`,
    isAcknowledgement: (answer) => acknowledgesItems(answer, count),
    isDivisible: count > 1,
    run,
  };
}

export function refusalMessage(part: Batch, reason: string): string {
  return `The service refused a record of call "${part.firstId() ?? 'without id'}": ${reason}`;
}
