import type { Batch } from './batch.ts';
import type { Connection, Post } from './connection.ts';

/** What became of the batch or of parts of it; together the parts are the whole. */
export interface BatchOutcome {
  readonly sent: (part: Batch) => void;
  /** One record that the service does not accept. */
  readonly refused: (part: Batch, reason: string) => void;
  readonly unreachable: (part: Batch) => void;
}

/**
 * Sends a batch. One that is refused is cut in halves until the bad records are alone, so that a bad record takes
 * no good one with it.
 */
export async function deliverBatch(connection: Connection, batch: Batch, outcome: BatchOutcome): Promise<void> {
  const result = await connection.deliver(batchPost(batch));
  if (result.kind === 'accepted') return outcome.sent(batch);
  if (result.kind === 'unreachable') return outcome.unreachable(batch);
  if (batch.count === 1) return outcome.refused(batch, result.reason);
  for (const half of batch.split()) await deliverBatch(connection, half, outcome);
}

export function batchPost(batch: Batch): Post {
  return { path: '/call/upsert_batch', body: batch.body(), acknowledgement: 'res' };
}

export function refusalMessage(part: Batch, reason: string): string {
  return `The service refused a record of call "${part.firstId() ?? 'without id'}": ${reason}`;
}
