import type { JoinedDigests } from '../packed/joined-digests.ts';
import type { PackedTable } from '../packed/packed-table.ts';
import type { Packed } from '../packed/packing.ts';

/** Takes and gives what another thread has packed or will unpack, for engines that would pack it again. */
export interface PackedWriter {
  /** As `CallWriter.write`: the trace of each record. */
  writeCalls(facts: Packed): Promise<readonly string[]>;
  /** As `TableStore.create`. */
  createTable(table: PackedTable): Promise<void>;
  /** As `FeedbackStore.createAll`. */
  createFeedback(feedback: Packed): Promise<void>;
  /** As `TableStore.getRowDigests`. */
  getRowDigests(projectId: string, digest: string): Promise<JoinedDigests | undefined>;
}
