import type { DigestPortion } from '../packed/digest-portions.ts';
import type { PackedDerivedTable } from '../packed/packed-derived-table.ts';
import type { PackedObject } from '../packed/packed-object.ts';
import type { PackedTable } from '../packed/packed-table.ts';
import type { Packed } from '../packed/packing.ts';

/** Takes and gives what another thread has packed or will unpack, for engines that would pack it again. */
export interface PackedWriter {
  /** As `CallWriter.write`: the trace of each record. */
  writeCalls(facts: Packed): Promise<readonly string[]>;
  /** As `ObjectStore.create`. */
  createObject(object: PackedObject): Promise<void>;
  /** As `TableStore.create`. */
  createTable(table: PackedTable): Promise<void>;
  /** As `TableStore.derive`. */
  deriveTable(table: PackedDerivedTable): Promise<void>;
  /** As `FeedbackStore.createAll`. */
  createFeedback(feedback: Packed): Promise<void>;
  /** As `TableStore.getRowDigests`, from one of the rows on. */
  getRowDigests(projectId: string, digest: string, from: number): Promise<DigestPortion | undefined>;
}
