import type { CallWriter } from '../../storage/contract/calls.ts';
import type { CostStore } from '../../storage/contract/costs.ts';
import type { FeedbackStore, StoredFeedback } from '../../storage/contract/feedback.ts';
import type { FileStore } from '../../storage/contract/files.ts';
import type { ObjectStore } from '../../storage/contract/objects.ts';
import type { FeedbackPlan } from '../../storage/contract/plan.ts';
import type { TableStore } from '../../storage/contract/tables.ts';

/** The roles of a storage that writes use; a thread that has none asks for each of these. */
export interface WriteStores {
  readonly calls: Pick<CallWriter, 'write'>;
  readonly objects: Pick<ObjectStore, 'create' | 'get'>;
  readonly files: Pick<FileStore, 'create'>;
  readonly costs: Pick<CostStore, 'create'>;
  readonly feedback: FeedbackToWrite;
  readonly tables: Pick<TableStore, 'create' | 'getRowDigests'>;
}

/** Feedback is looked for before it is written; what is found is little, and nobody stops waiting for it. */
interface FeedbackToWrite extends Pick<FeedbackStore, 'create' | 'createAll' | 'list'> {
  query(plan: FeedbackPlan): Promise<StoredFeedback[]>;
  count(plan: FeedbackPlan): Promise<number>;
}
