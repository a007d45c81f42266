import type { CallWriter } from '../../storage/contract/calls.ts';
import type { CostStore } from '../../storage/contract/costs.ts';
import type { FeedbackStore, StoredFeedback } from '../../storage/contract/feedback.ts';
import type { FileStore } from '../../storage/contract/files.ts';
import type { ObjectStore } from '../../storage/contract/objects.ts';
import type { FeedbackPlan } from '../../storage/contract/plan.ts';
import type { TableStore } from '../../storage/contract/tables.ts';
import type { DigestList } from '../../storage/packed/digest-portions.ts';

/** The roles of a storage that writes use; a thread that has none asks for each of these. */
export interface WriteStores {
  readonly calls: Pick<CallWriter, 'write'>;
  readonly objects: Pick<ObjectStore, 'create' | 'get'>;
  readonly files: Pick<FileStore, 'create'>;
  readonly costs: Pick<CostStore, 'create'>;
  readonly feedback: FeedbackToWrite;
  readonly tables: TablesToWrite;
}

/** Digests of rows are gone through once, from the first to the last. */
interface TablesToWrite extends Pick<TableStore, 'create' | 'derive'> {
  getRowDigests(projectId: string, digest: string): Promise<RowDigests | undefined>;
}

/** All of them, or where they are in another thread portions of them. */
export type RowDigests = readonly string[] | DigestList;

/** Feedback is looked for before it is written; what is found is little, and nobody stops waiting for it. */
interface FeedbackToWrite extends Pick<FeedbackStore, 'create' | 'createAll' | 'list'> {
  query(plan: FeedbackPlan): Promise<StoredFeedback[]>;
  count(plan: FeedbackPlan): Promise<number>;
}
