import type { StoredCall } from '../../contract/calls.ts';
import type { CallOutline } from '../../contract/overviews.ts';
import type { TraceColumns } from '../../contract/trace-columns.ts';
import { packCalls } from '../../packed/packed-calls.ts';
import { packOutlines } from '../../packed/packed-outlines.ts';
import type { Packed } from '../../packed/packing.ts';
import type { Sql } from '../../sql/sql.ts';
import { statementOf } from '../read/planned-statement.ts';
import type { StatementReader } from './statements.ts';
import type { StreamRequest } from './requests.ts';

/** A chunk of rows, and whether it is the last. */
export interface TakenChunk<Row> {
  readonly rows: Row[];
  readonly isDone: boolean;
}

/** A read that is answered in chunks. */
export interface RowStream {
  /** The next rows as they are, or packed for another thread. */
  take(): TakenChunk<unknown>;
  takePacked(): { readonly packed?: Packed | TraceColumns; readonly isDone: boolean };
  leave(): void;
}

/** A chunk is bounded by rows and by these. */
const MAX_CHUNK_BYTES = 256 * 1024;
const MAX_CHUNK_CALLS = 200;
const MAX_CHUNK_OUTLINES = 1000;

export function openRows(reader: StatementReader, request: StreamRequest): RowStream {
  const keys = statementOf(request.keys);
  reader.begin(keys);
  try {
    return rowsOf(reader, request, keys);
  } catch (error) {
    reader.end();
    throw error;
  }
}

function rowsOf(reader: StatementReader, request: StreamRequest, keys: Sql): RowStream {
  if (request.op === 'open') {
    const { projectId, bodies } = request;
    const kind = { maxRows: MAX_CHUNK_CALLS, bytesOf: callBytes, pack: packCalls };
    return streamOf(reader.calls({ projectId, keys, bodies }), kind);
  }
  if (request.op === 'openTrace') return streamOfColumns(reader.trace(keys));
  const kind = { maxRows: MAX_CHUNK_OUTLINES, bytesOf: outlineBytes, pack: packOutlines };
  return streamOf(reader.outlines(keys, request.hasPreviews), kind);
}

interface RowKind<Row> {
  readonly maxRows: number;
  readonly bytesOf: (row: Row) => number;
  readonly pack: (rows: readonly Row[]) => Packed;
}

function streamOf<Row>(rows: Iterator<Row, unknown>, kind: RowKind<Row>): RowStream {
  return {
    take: () => takeChunk(rows, kind),
    takePacked: () => {
      const { rows: taken, isDone } = takeChunk(rows, kind);
      return { packed: kind.pack(taken), isDone };
    },
    leave: () => void rows.return?.(),
  };
}

/** Columns go between threads as they are. */
function streamOfColumns(source: Iterator<TraceColumns, unknown>): RowStream {
  return {
    take: () => {
      const { value, done } = source.next();
      return done === true ? { rows: [], isDone: true } : { rows: [value], isDone: false };
    },
    takePacked: () => {
      const next = source.next();
      return next.done === true ? { isDone: true } : { packed: next.value, isDone: false };
    },
    leave: () => void source.return?.(),
  };
}

function takeChunk<Row>(source: Iterator<Row, unknown>, { maxRows, bytesOf }: RowKind<Row>): TakenChunk<Row> {
  const rows: Row[] = [];
  let bytes = 0;
  while (rows.length < maxRows && bytes < MAX_CHUNK_BYTES) {
    const next = source.next();
    if (next.done === true) return { rows, isDone: true };
    rows.push(next.value);
    bytes += bytesOf(next.value);
  }
  return { rows, isDone: false };
}

function callBytes({ attributes, inputs, output, summary, otel_dump: dump, exception }: StoredCall): number {
  const texts = [attributes, inputs, output, summary, dump, exception];
  return texts.reduce((bytes, text) => bytes + (text?.length ?? 0), 500);
}

function outlineBytes({ usages, input, output }: CallOutline): number {
  return 250 + 200 * usages.length + (input?.length ?? 0) + (output?.length ?? 0);
}
