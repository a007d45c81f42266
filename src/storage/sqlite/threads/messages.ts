import { type ErrorCode, TracingError } from '../../../protocol/error.ts';
import type { JsonColumn, TablePlan, ThreadPlan } from '../../contract/plan.ts';
import type { Sql } from '../../sql/sql.ts';
import type { CallFact } from '../../contract/calls.ts';
import type { StoredCost } from '../../contract/costs.ts';
import type { StoredFeedback } from '../../contract/feedback.ts';
import type { StoredFile } from '../../contract/files.ts';
import type { NewObject } from '../../contract/objects.ts';
import type { TraceColumns } from '../../contract/trace-columns.ts';
import type { StoredView } from '../../contract/views.ts';
import type { NewTable } from '../../contract/tables.ts';
import type { PackedTable } from '../../packed/packed-table.ts';
import type { Packed } from '../../packed/packing.ts';
import type { AggregateQuery } from '../columns/aggregator.ts';
import type { SentStatement } from '../read/planned-statement.ts';
import type { Recovery } from '../upkeep/recovery.ts';
import type { Refusal } from '../write/refusal.ts';

/** What the writer is asked to do; one request is all or nothing. */
export type Change =
  | { readonly op: 'writeCalls'; readonly facts: readonly CallFact[] | Packed }
  | { readonly op: 'rename'; readonly projectId: string; readonly callId: string; readonly displayName: string }
  | {
      readonly op: 'delete';
      readonly projectId: string;
      readonly callIds: readonly string[];
      readonly deletedAt: number;
    }
  | { readonly op: 'createObject'; readonly object: NewObject }
  | {
      readonly op: 'deleteObjects';
      readonly projectId: string;
      readonly objectId: string;
      readonly versions: readonly string[];
      readonly deletedAt: number;
      readonly key: string | undefined;
    }
  | { readonly op: 'createTable'; readonly table: NewTable | PackedTable }
  | { readonly op: 'createFile'; readonly file: StoredFile }
  | { readonly op: 'createCosts'; readonly costs: readonly StoredCost[] }
  | {
      readonly op: 'createFeedback';
      readonly feedback: readonly StoredFeedback[] | Packed;
      readonly replacedId: string | null;
    }
  | { readonly op: 'purgeFeedback'; readonly projectId: string; readonly ids: readonly string[] }
  | { readonly op: 'purgeCosts'; readonly projectId: string; readonly ids: readonly string[] }
  | { readonly op: 'saveView'; readonly view: StoredView }
  | { readonly op: 'deleteView'; readonly projectId: string; readonly id: string }
  | {
      readonly op: 'removeTraces';
      readonly projectId: string;
      readonly traceIds: readonly string[];
      readonly before: number;
    }
  | { readonly op: 'removeHalves'; readonly projectId: string; readonly before: number }
  /** Shrinks the file by pages that are free. */
  | { readonly op: 'giveBack' };

/** What the writer takes. A probe finds out whether changes would be committed that were not, without making them. */
export type WriteRequest = Change | { readonly op: 'probe'; readonly refused: Refusal };

/** A list that is answered whole: keys in its order, and how much it may hold. */
export interface ListQuery {
  readonly projectId: string;
  readonly keys: SentStatement;
  readonly maxCharacters: number | undefined;
}

/** A query arrives as its plan, which the thread prints, or as SQL. */
export type ReadRequest =
  | { readonly op: 'getCall'; readonly projectId: string; readonly id: string }
  | { readonly op: 'count'; readonly count: SentStatement }
  | {
      readonly op: 'open';
      readonly projectId: string;
      readonly keys: SentStatement;
      readonly bodies: readonly JsonColumn[];
    }
  | {
      readonly op: 'openOutlines';
      readonly keys: SentStatement;
      readonly hasPreviews: boolean;
    }
  | { readonly op: 'openTrace'; readonly keys: SentStatement }
  | { readonly op: 'next'; readonly stream: number }
  | { readonly op: 'cancel'; readonly stream: number }
  | {
      readonly op: 'getObject';
      readonly projectId: string;
      readonly objectId: string;
      readonly version: string;
      readonly isMetadataOnly: boolean;
    }
  | ({ readonly op: 'queryObjects'; readonly isMetadataOnly: boolean } & ListQuery)
  | { readonly op: 'getFile'; readonly projectId: string; readonly digest: string }
  | { readonly op: 'listCosts'; readonly projectId: string }
  | { readonly op: 'listViews'; readonly projectId: string }
  | { readonly op: 'listFeedback'; readonly projectId: string; readonly refs: readonly string[] | undefined }
  | ({ readonly op: 'queryFeedback' } & ListQuery)
  | { readonly op: 'queryThreads'; readonly turns: Sql; readonly plan: ThreadPlan }
  | { readonly op: 'fileBytes'; readonly projectId: string }
  | { readonly op: 'getTable'; readonly projectId: string; readonly digest: string }
  | { readonly op: 'tablePositions'; readonly plan: TablePlan }
  | {
      readonly op: 'tableRows';
      readonly projectId: string;
      readonly digest: string;
      readonly positions: Uint32Array;
    }
  | { readonly op: 'tableStats'; readonly projectId: string; readonly digests: readonly string[] }
  | { readonly op: 'listProjects' }
  | { readonly op: 'timeForBytes'; readonly projectId: string; readonly bytes: number }
  | { readonly op: 'oldTraces'; readonly projectId: string; readonly before: number }
  | ({ readonly op: 'aggregate'; readonly keys: SentStatement } & Omit<AggregateQuery, 'keys'>)
  | { readonly op: 'ping' };

/** A read that is answered in chunks. */
export type StreamRequest = Extract<ReadRequest, { op: (typeof STREAMS)[number] }>;

const STREAMS = ['open', 'openOutlines', 'openTrace'] as const;

export function isStream(request: ReadRequest): request is StreamRequest {
  return (STREAMS as readonly string[]).includes(request.op);
}

export type Request = WriteRequest | ReadRequest;

const WRITES: readonly Request['op'][] = [
  'writeCalls',
  'rename',
  'delete',
  'createObject',
  'deleteObjects',
  'createFile',
  'createTable',
  'createCosts',
  'purgeCosts',
  'saveView',
  'deleteView',
  'createFeedback',
  'purgeFeedback',
  'removeTraces',
  'removeHalves',
  'giveBack',
  'probe',
];

export function isWrite(request: Request): request is WriteRequest {
  return WRITES.includes(request.op);
}

/** Rows of a stream; without `stream` they are the last ones. */
export interface Chunk<Row> {
  readonly rows: readonly Row[];
  readonly stream?: number;
}

export interface Message {
  readonly id: number;
  readonly request: Request;
}

/** Rows of a stream on their way between threads, if any; without `stream` they are the last ones. */
export interface PackedChunk {
  readonly packed?: Packed | TraceColumns;
  readonly stream?: number;
}

/** What a thread is told. Calls are packed for the way. */
export type ToThread = Message | { readonly id: number; readonly calls: Packed } | 'close';

/** What a thread says. */
export type FromThread = Answer | { readonly ready: Recovery } | { readonly failed: ErrorData };

export type Answer = {
  readonly id: number;
  /** The first answer of writes that were committed together. */
  readonly beginsGroup?: boolean;
} & ({ readonly result: unknown } | { readonly error: ErrorData });

/** An error as it travels between threads. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
}

const DISK_FULL = 13;

/** Result codes of SQLite that mean: the file cannot be read or written now. */
const UNAVAILABLE_CODES: readonly number[] = [5, 6, 8, 10, 11, 14, 26];

export function errorData(error: unknown): ErrorData {
  if (error instanceof TracingError) return { code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  if ((resultCode(error) & 0xff) === DISK_FULL) {
    return { code: 'unavailable', message: 'Cannot write to the database: the disk is full' };
  }
  const isUnavailable = UNAVAILABLE_CODES.includes(resultCode(error) & 0xff);
  return isUnavailable
    ? { code: 'unavailable', message: `Cannot use the database: ${message}` }
    : { code: 'internal_error', message: `Cannot carry out a statement: ${message}` };
}

export function errorOf({ code, message }: ErrorData): TracingError {
  return new TracingError(code, message);
}

function resultCode(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return 0;
  return typeof error.errcode === 'number' ? error.errcode : 0;
}
