import type { DigestPortion } from '../../../storage/packed/digest-portions.ts';
import type { StoredCost } from '../../../storage/contract/costs.ts';
import type { StoredFeedback } from '../../../storage/contract/feedback.ts';
import type { StoredFile } from '../../../storage/contract/files.ts';
import type { StoredObject } from '../../../storage/contract/objects.ts';
import type { FeedbackPlan } from '../../../storage/contract/plan.ts';
import type { PackedDerivedTable } from '../../../storage/packed/packed-derived-table.ts';
import type { PackedObject } from '../../../storage/packed/packed-object.ts';
import type { PackedTable } from '../../../storage/packed/packed-table.ts';
import type { Packed } from '../../../storage/packed/packing.ts';
import type { Exchange, RequestsOf } from '../../../storage/thread-exchanges.ts';
import type { EndedUsage } from '../calls/ended-usage.ts';
import type { PackedChange } from '../../page/call-changes.ts';

/** Requests of the thread, which has no storage, to the one that has it. Large lists travel packed. */
export interface StorageExchanges {
  /** The trace of each record. */
  writeCalls: Exchange<{ readonly facts: Packed }, readonly string[]>;
  /** Notes that the thread has made of facts that are written now. */
  noteEnded: Exchange<{ readonly ended: readonly EndedUsage[] }, void>;
  noteChanged: Exchange<{ readonly changed: readonly PackedChange[] }, void>;
  noteSaid: Exchange<{ readonly changed: readonly PackedChange[] }, void>;
  createObject: Exchange<{ readonly object: PackedObject }, void>;
  getObject: Exchange<AskedObject, StoredObject | undefined>;
  createFile: Exchange<{ readonly file: StoredFile }, void>;
  createCosts: Exchange<{ readonly costs: readonly StoredCost[] }, void>;
  createFeedback: Exchange<{ readonly feedback: StoredFeedback; readonly replacedId: string | null }, void>;
  createAllFeedback: Exchange<{ readonly feedback: Packed }, void>;
  listFeedback: Exchange<
    { readonly projectId: string; readonly refs: readonly string[] | undefined },
    StoredFeedback[]
  >;
  queryFeedback: Exchange<{ readonly plan: FeedbackPlan }, StoredFeedback[]>;
  countFeedback: Exchange<{ readonly plan: FeedbackPlan }, number>;
  createTable: Exchange<{ readonly table: PackedTable }, void>;
  deriveTable: Exchange<{ readonly table: PackedDerivedTable }, void>;
  getRowDigests: Exchange<
    { readonly projectId: string; readonly digest: string; readonly from: number },
    DigestPortion | undefined
  >;
}

interface AskedObject {
  readonly projectId: string;
  readonly objectId: string;
  readonly version: string;
  readonly options: { readonly metadataOnly?: boolean } | undefined;
}

export type StorageRequest = RequestsOf<StorageExchanges>;

/** The answer to a request. */
export type StorageAnswerTo<Asked extends StorageRequest> = StorageExchanges[Asked['op']]['answer'];
