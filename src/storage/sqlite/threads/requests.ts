import type { DigestPortion } from '../../packed/digest-portions.ts';
import type { CallFact, StoredCall } from '../../contract/calls.ts';
import type { StoredCost } from '../../contract/costs.ts';
import type { StoredFeedback } from '../../contract/feedback.ts';
import type { StoredFile } from '../../contract/files.ts';
import type { DeletedVersion, StoredObject } from '../../contract/objects.ts';
import type { CallAggregate, CallOutline } from '../../contract/overviews.ts';
import type { JsonColumn, TablePlan, ThreadPlan } from '../../contract/plan.ts';
import type { Removed } from '../../contract/retention.ts';
import type { RunFacts, RunPlan, RunSums, RunSumsPlan, StoredRun } from '../../contract/runs.ts';
import type { TraceColumns } from '../../contract/trace-columns.ts';
import type { CallTraits } from '../../contract/traits.ts';
import type { DerivedTable, NewTable, StoredRow, TableStats } from '../../contract/tables.ts';
import type { StoredThread } from '../../contract/threads.ts';
import type { StoredView } from '../../contract/views.ts';
import type { PackedDerivedTable } from '../../packed/packed-derived-table.ts';
import type { PackedObject } from '../../packed/packed-object.ts';
import type { PackedTable } from '../../packed/packed-table.ts';
import type { Packed } from '../../packed/packing.ts';
import type { Sql } from '../../sql/sql.ts';
import type { Exchange, RequestsOf } from '../../thread-exchanges.ts';
import type { AggregateQuery } from '../columns/aggregator.ts';
import type { SentStatement } from '../read/planned-statement.ts';
import type { OldTrace } from '../upkeep/find-old.ts';
import type { Refusal } from '../write/refusal.ts';

/** Changes that the writer is asked to make; one request is all or nothing. */
export interface Changes {
  writeCalls: Exchange<{ readonly facts: readonly CallFact[] | Packed }, string[]>;
  rename: Exchange<{ readonly projectId: string; readonly callId: string; readonly displayName: string }, void>;
  delete: Exchange<
    { readonly projectId: string; readonly callIds: readonly string[]; readonly deletedAt: number },
    number
  >;
  createObject: Exchange<{ readonly object: PackedObject }, void>;
  deleteObjects: Exchange<DeletedVersions, DeletedVersion[]>;
  createTable: Exchange<{ readonly table: NewTable | PackedTable }, void>;
  deriveTable: Exchange<{ readonly table: DerivedTable | PackedDerivedTable }, void>;
  createFile: Exchange<{ readonly file: StoredFile }, void>;
  createCosts: Exchange<{ readonly costs: readonly StoredCost[] }, void>;
  purgeCosts: Exchange<Purged, void>;
  createFeedback: Exchange<
    { readonly feedback: readonly StoredFeedback[] | Packed; readonly replacedId: string | null },
    void
  >;
  purgeFeedback: Exchange<Purged, void>;
  saveView: Exchange<{ readonly view: StoredView }, StoredView>;
  deleteView: Exchange<{ readonly projectId: string; readonly id: string }, boolean>;
  noteRun: Exchange<{ readonly run: RunFacts }, void>;
  saveSetting: Exchange<{ readonly name: string; readonly value: string }, void>;
  removeTraces: Exchange<
    { readonly projectId: string; readonly traceIds: readonly string[]; readonly before: number },
    Removed
  >;
  removeHalves: Exchange<{ readonly projectId: string; readonly before: number }, Removed>;
  /** Some of the runs behind a number; answers with the number to go on behind, `null` at the end. */
  removeRuns: Exchange<{ readonly projectId: string; readonly before: number; readonly after: number }, number | null>;
  /** Shrinks the file by pages that are free. */
  giveBack: Exchange<object, boolean>;
}

interface DeletedVersions {
  readonly projectId: string;
  readonly objectId: string;
  readonly versions: readonly string[];
  readonly deletedAt: number;
  readonly key: string | undefined;
}

interface Purged {
  readonly projectId: string;
  readonly ids: readonly string[];
}

/** Requests that the writer takes. A probe finds out if refused changes would be committed, without making them. */
export interface Writes extends Changes {
  probe: Exchange<{ readonly refused: Refusal }, void>;
}

/** A list that is answered whole: keys in its order, and how much it may hold. */
export interface ListQuery {
  readonly projectId: string;
  readonly keys: SentStatement;
  readonly maxCharacters: number | undefined;
}

/** Reads that take one step. A query arrives as its plan, which the thread prints, or as SQL. */
export interface Questions {
  getCall: Exchange<{ readonly projectId: string; readonly id: string }, StoredCall | undefined>;
  count: Exchange<{ readonly count: SentStatement }, number>;
  getObject: Exchange<AskedVersion, StoredObject | undefined>;
  queryObjects: Exchange<{ readonly isMetadataOnly: boolean } & ListQuery, StoredObject[]>;
  getFile: Exchange<{ readonly projectId: string; readonly digest: string }, StoredFile | undefined>;
  fileBytes: Exchange<{ readonly projectId: string }, number>;
  listCosts: Exchange<{ readonly projectId: string }, StoredCost[]>;
  listViews: Exchange<{ readonly projectId: string }, StoredView[]>;
  listRuns: Exchange<{ readonly plan: RunPlan }, StoredRun[]>;
  sumRuns: Exchange<{ readonly plan: RunSumsPlan }, RunSums[]>;
  listFeedback: Exchange<
    { readonly projectId: string; readonly refs: readonly string[] | undefined },
    StoredFeedback[]
  >;
  queryFeedback: Exchange<ListQuery, StoredFeedback[]>;
  queryThreads: Exchange<{ readonly turns: Sql; readonly plan: ThreadPlan }, StoredThread[]>;
  rowDigests: Exchange<
    { readonly projectId: string; readonly digest: string; readonly from: number },
    DigestPortion | undefined
  >;
  tablePositions: Exchange<{ readonly plan: TablePlan }, Uint32Array>;
  tableRows: Exchange<
    { readonly projectId: string; readonly digest: string; readonly positions: Uint32Array },
    StoredRow[]
  >;
  tableStats: Exchange<{ readonly projectId: string; readonly digests: readonly string[] }, TableStats[]>;
  listProjects: Exchange<object, string[]>;
  getSetting: Exchange<{ readonly name: string }, string | undefined>;
  timeForBytes: Exchange<{ readonly projectId: string; readonly bytes: number }, number | undefined>;
  oldTraces: Exchange<{ readonly projectId: string; readonly before: number }, OldTrace[]>;
  aggregate: Exchange<{ readonly keys: SentStatement } & Omit<AggregateQuery, 'keys'>, CallAggregate>;
  traits: Exchange<
    { readonly keys: SentStatement; readonly without?: SentStatement; readonly limit: number },
    CallTraits
  >;
  ping: Exchange<object, void>;
}

interface AskedVersion {
  readonly projectId: string;
  readonly objectId: string;
  readonly version: string;
  readonly isMetadataOnly: boolean;
}

/** Reads that are answered in chunks. */
interface Streams {
  open: Exchange<
    { readonly projectId: string; readonly keys: SentStatement; readonly bodies: readonly JsonColumn[] },
    RowsOf<StoredCall>
  >;
  openOutlines: Exchange<{ readonly keys: SentStatement; readonly hasPreviews: boolean }, RowsOf<CallOutline>>;
  openTrace: Exchange<{ readonly keys: SentStatement }, RowsOf<TraceColumns>>;
}

/** Requests that the reader takes. */
export interface ReadExchanges extends Questions, Streams {
  /** Rows of the kind that the stream was opened for. */
  next: Exchange<{ readonly stream: number }, RowsOf<unknown>>;
  cancel: Exchange<{ readonly stream: number }, void>;
}

/** Rows of a stream; without `stream` they are the last ones. */
export interface Chunk<Row> {
  readonly rows: readonly Row[];
  readonly stream?: number;
}

/** The same on their way between threads; columns are packed already. */
export interface PackedChunk {
  readonly packed?: Packed | TraceColumns;
  readonly stream?: number;
}

/** Where the database is in the thread of the caller, nothing is packed. */
export type RowsOf<Row> = Chunk<Row> | PackedChunk;

export type Change = RequestsOf<Changes>;
export type WriteRequest = RequestsOf<Writes>;
export type StreamRequest = RequestsOf<Streams>;
export type ReadRequest = RequestsOf<ReadExchanges>;
export type Request = WriteRequest | ReadRequest;

/** The answer to a request. */
export type AnswerTo<Asked extends Request> = (Writes & ReadExchanges)[Asked['op']]['answer'];

/**
 * The answer to a request as its exchange has it: the one place where that is taken on trust. Both ends are held to the
 * exchanges by their types; between them lies a copy, which has none.
 */
export function answerTo<Asked extends Request>(_asked: Asked, result: unknown): AnswerTo<Asked> {
  return result as AnswerTo<Asked>;
}

/** Checked against the exchanges: one that is missing here, or too many, does not compile. */
const WRITES: Readonly<Record<keyof Writes, true>> = {
  writeCalls: true,
  rename: true,
  delete: true,
  createObject: true,
  deleteObjects: true,
  createTable: true,
  deriveTable: true,
  createFile: true,
  createCosts: true,
  purgeCosts: true,
  createFeedback: true,
  purgeFeedback: true,
  saveView: true,
  deleteView: true,
  noteRun: true,
  saveSetting: true,
  removeTraces: true,
  removeHalves: true,
  removeRuns: true,
  giveBack: true,
  probe: true,
};

export function isWrite(request: Request): request is WriteRequest {
  return Object.hasOwn(WRITES, request.op);
}

const STREAMS: Readonly<Record<keyof Streams, true>> = { open: true, openOutlines: true, openTrace: true };

export function isStream(request: ReadRequest): request is StreamRequest {
  return Object.hasOwn(STREAMS, request.op);
}
