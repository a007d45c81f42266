import { type Answer, errorData, type Message } from './messages.ts';
import { isWrite, type WriteRequest } from './requests.ts';
import type { NewTable } from '../../contract/tables.ts';
import type { Packed } from '../../packed/packing.ts';
import { derivedTableBytes } from '../../packed/packed-derived-table.ts';
import { isPacked, packedBytes, type PackedTable, packedTableBytes } from '../../packed/packed-table.ts';
import type { ExitGate } from './exit-gate.ts';
import type { Outcome, Writer } from '../write/writer.ts';

/** A group of requests that are committed together is bounded by these. */
const MAX_GROUP_ROWS = 2000;
const MAX_GROUP_BYTES = 8 * 1024 * 1024;

const KEEP_PAUSE_MS = 100;

interface Waiting {
  readonly id: number;
  readonly request: WriteRequest;
}

/**
 * Takes requests of the writer and commits what is waiting together. There is no timer: alone, a request
 * waits for its own commit only; under load groups form while the one before is being written.
 */
export class WriteEndpoint {
  readonly #writer: Writer;
  readonly #answer: (answer: Answer) => void;
  readonly #gate: ExitGate;
  readonly #waiting: Waiting[] = [];
  #isScheduled = false;
  #isClosed = false;
  #mayKeep = true;
  #isPausing = false;
  /** Deletions of an earlier run may have left work. */
  #mayPurge = true;

  constructor(writer: Writer, answer: (answer: Answer) => void, gate: ExitGate) {
    this.#writer = writer;
    this.#answer = answer;
    this.#gate = gate;
    this.#schedule();
  }

  receive({ id, request }: Message): void {
    if (!isWrite(request)) throw new TypeError(`The writer cannot carry out ${request.op}`);
    this.#waiting.push({ id, request });
    this.#mayPurge ||= request.op === 'delete';
    this.#mayKeep = true;
    this.#schedule();
  }

  /** Writes what is waiting, then closes the connection. */
  close(): void {
    if (this.#isClosed) return;
    while (this.#waiting.length > 0) this.#writeGroup();
    this.#isClosed = true;
    this.#writer.close();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isClosed) return;
    this.#isScheduled = true;
    // Messages that have arrived by now are received before this runs, and so join the group.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#gate.pass(() => this.#work());
    });
  }

  #work(): void {
    if (this.#isClosed) return;
    if (this.#waiting.length > 0) this.#writeGroup();
    else if (this.#mayPurge) this.#mayPurge = this.#purge();
    if (this.#waiting.length > 0 || this.#mayPurge) this.#schedule();
    else if (this.#mayKeep) this.#keepLater();
  }

  /** Columns are kept one segment at a time and seldom: calls that are being written change theirs again. */
  #keepLater(): void {
    if (this.#isPausing) return;
    this.#isPausing = true;
    setTimeout(() => {
      this.#isPausing = false;
      this.#gate.pass(() => this.#keep());
    }, KEEP_PAUSE_MS).unref();
  }

  #keep(): void {
    if (this.#isClosed || !this.#mayKeep) return;
    if (this.#waiting.length === 0) this.#mayKeep = this.#tryToKeep();
    if (this.#mayKeep) this.#keepLater();
  }

  #tryToKeep(): boolean {
    try {
      return this.#writer.keepColumns();
    } catch {
      // Nobody waits for this: readers do without.
      return false;
    }
  }

  #writeGroup(): void {
    const group = this.#waiting.splice(0, groupLength(this.#waiting));
    const outcomes = this.#writer.writeGroup(group.map(({ request }) => request));
    for (const [index, { id }] of group.entries()) {
      this.#answer({ ...answerOf(id, outcomes[index] ?? { result: undefined }), beginsGroup: index === 0 });
    }
  }

  #purge(): boolean {
    try {
      return this.#writer.purge();
    } catch {
      // Nobody waits for this: the list of what is to be removed is stored, and the next start goes on with it.
      return false;
    }
  }
}

function answerOf(id: number, outcome: Outcome): Answer {
  return 'error' in outcome ? { id, error: errorData(outcome.error) } : { id, result: outcome.result };
}

/** At least one request, then as many as fit together. */
function groupLength(waiting: readonly Waiting[]): number {
  let rows = 0;
  let bytes = 0;
  for (const [index, { request }] of waiting.entries()) {
    rows += rowsOf(request);
    bytes += requestBytes(request);
    if (index > 0 && (rows > MAX_GROUP_ROWS || bytes > MAX_GROUP_BYTES)) return index;
    // A probe is alone.
    if (request.op === 'probe') return Math.max(1, index);
  }
  return waiting.length;
}

function rowsOf(request: WriteRequest): number {
  if (request.op === 'writeCalls') return countOf(request.facts);
  return request.op === 'createFeedback' ? countOf(request.feedback) : 1;
}

function countOf(records: readonly unknown[] | Packed): number {
  return 'count' in records ? records.count : records.length;
}

/** About how much memory a request takes: its large texts count, small ones are a constant per row. */
export function requestBytes(request: WriteRequest): number {
  if (request.op === 'createFile') return request.file.bytes.length + 200;
  if (request.op === 'createObject') return request.object.val.length + 500;
  if (request.op === 'createTable') return tableBytes(request.table);
  if (request.op === 'deriveTable') return derivedTableBytes(request.table);
  if (request.op === 'createFeedback') {
    if ('count' in request.feedback) return packedBytes(request.feedback);
    return request.feedback.reduce((bytes, { payload }) => bytes + payload.length + 500, 0);
  }
  if (request.op !== 'writeCalls') return 200;
  if ('count' in request.facts) return packedBytes(request.facts);
  let bytes = 0;
  for (const fact of request.facts) {
    bytes += 500;
    if (fact.kind === 'start') bytes += fact.attributes.length + fact.inputs.length + (fact.otel_dump?.length ?? 0);
    else bytes += (fact.output?.length ?? 0) + fact.summary.length + (fact.exception?.length ?? 0);
  }
  return bytes;
}

function tableBytes(table: NewTable | PackedTable): number {
  if (isPacked(table)) return packedTableBytes(table);
  let bytes = table.row_digests.length * 50 + 200;
  for (const { val } of table.rows) bytes += val.length + 100;
  return bytes;
}
