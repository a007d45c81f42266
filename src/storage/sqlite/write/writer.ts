import { TracingError } from '../../../protocol/error.ts';
import { cachePages, withPages } from '../connection.ts';
import { CostTable } from './cost-table.ts';
import { saveSetting } from './setting-table.ts';
import { RunTable } from './run-table.ts';
import { ViewTable } from './view-table.ts';
import type { DatabaseFiles } from '../upkeep/database-files.ts';
import type { DatabaseSync } from '../driver.ts';
import { FeedbackTable } from './feedback-table.ts';
import type { Handlers, RequestOf } from '../../thread-exchanges.ts';
import type { Changes, WriteRequest } from '../threads/requests.ts';
import { Names } from './names.ts';
import type { CallFact } from '../../contract/calls.ts';
import { factsOf } from '../../packed/packed-facts.ts';
import type { Packed } from '../../packed/packing.ts';
import { feedbackOf } from '../../packed/packed-feedback.ts';
import { derivedOf } from '../../packed/packed-derived-table.ts';
import { tableOf } from '../../packed/packed-table.ts';
import type { Refusal } from './refusal.ts';
import { giveBack, OldTraces } from './remove-traces.ts';
import { hasStaleColumns, keepColumns, TouchedSegments } from '../columns/kept-columns.ts';
import { CallTables } from './write-calls.ts';
import { ObjectTables } from './write-objects.ts';
import { DatasetTables } from './write-tables.ts';

/** More than small writes need beside the one that was refused. */
const PROBE_BYTES = 1024 * 1024;

/** More records come together with large bodies. */
const MANY_FACTS = 2000;

export type Outcome = { readonly result: unknown } | { readonly error: unknown };

export interface WriterOptions {
  /** Throws where what is written now would be lost. */
  readonly files?: Pick<DatabaseFiles, 'check'>;
  readonly onClose?: () => void;
}

/** Owns the connection that writes. */
export class Writer {
  readonly #database: DatabaseSync;
  readonly #files: WriterOptions['files'];
  readonly #onClose: () => void;
  readonly #names: Names;
  readonly #segments: TouchedSegments;
  readonly #runs: RunTable;
  readonly #calls: CallTables;
  readonly #objects: ObjectTables;
  readonly #costs: CostTable;
  readonly #views: ViewTable;
  readonly #feedback: FeedbackTable;
  readonly #datasets: DatasetTables;
  readonly #oldTraces: OldTraces;

  readonly #changes: Handlers<Changes> = {
    writeCalls: ({ facts }) => this.#writeCalls(facts),
    rename: ({ projectId, callId, displayName }) => this.#calls.rename(projectId, callId, displayName),
    delete: ({ projectId, callIds, deletedAt }) => this.#calls.delete(projectId, callIds, deletedAt),
    createObject: ({ object }) => this.#objects.createObject(object),
    deleteObjects: (request) => this.#objects.deleteVersions(request),
    createTable: ({ table }) => this.#datasets.createTable(tableOf(table)),
    deriveTable: ({ table }) => this.#datasets.deriveTable(derivedOf(table)),
    createFile: ({ file }) => this.#objects.createFile(file),
    createCosts: ({ costs }) => this.#costs.create(costs),
    purgeCosts: ({ projectId, ids }) => this.#costs.purge(projectId, ids),
    createFeedback: ({ feedback, replacedId }) => this.#feedback.createAll(feedbackOf(feedback), replacedId),
    purgeFeedback: ({ projectId, ids }) => this.#feedback.purge(projectId, ids),
    saveView: ({ view }) => this.#views.save(view),
    deleteView: ({ projectId, id }) => this.#views.delete(projectId, id),
    noteRun: ({ run }) => this.#runs.note(run),
    saveSetting: ({ name, value }) => saveSetting(this.#database, name, value),
    removeTraces: (request) => this.#oldTraces.remove(request),
    removeHalves: ({ projectId, before }) => this.#oldTraces.removeHalves(projectId, before),
    removeRuns: ({ projectId, before, after }) => this.#runs.removeBefore(projectId, before, after),
    giveBack: () => giveBack(this.#database),
  };

  constructor(database: DatabaseSync, { files, onClose = () => undefined }: WriterOptions = {}) {
    this.#database = database;
    this.#files = files;
    this.#onClose = onClose;
    this.#names = new Names(database);
    this.#segments = new TouchedSegments(database);
    this.#runs = new RunTable(database, this.#names);
    this.#calls = new CallTables(database, this.#names, { segments: this.#segments, runs: this.#runs });
    this.#objects = new ObjectTables(database, this.#names);
    this.#costs = new CostTable(database, this.#names);
    this.#views = new ViewTable(database, this.#names);
    this.#feedback = new FeedbackTable(database, this.#names);
    this.#datasets = new DatasetTables(database, this.#names);
    this.#oldTraces = new OldTraces(database, this.#names, this.#segments);
  }

  /**
   * Carries out requests in one transaction. When that fails each is tried in a transaction of its own, so
   * that only the bad one fails; where none can begin, all fail, as each would wait as long for nothing. A probe is
   * alone in its group.
   */
  writeGroup(requests: readonly WriteRequest[]): Outcome[] {
    const [first] = requests;
    try {
      this.#files?.check();
      if (first?.op === 'probe') return [{ result: this.#probe(first.refused) }];
      this.#database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      return requests.map(() => ({ error }));
    }
    try {
      return this.#finishTransaction(() => requests.map((request) => this.#attempt(request)));
    } catch (error) {
      if (requests.length === 1) return [{ error }];
      return requests.flatMap((request) => this.writeGroup([request]));
    }
  }

  #writeCalls(facts: readonly CallFact[] | Packed): string[] {
    const count = 'count' in facts ? facts.count : facts.length;
    return withPages(this.#database, count > MANY_FACTS ? 'half' : 'many', () => this.#calls.write(factsOf(facts)));
  }

  /** Removes some of what was deleted; false when nothing is left. */
  purge(): boolean {
    this.#files?.check();
    this.#database.exec('BEGIN IMMEDIATE');
    return this.#finishTransaction(() => this.#calls.purge());
  }

  /** Keeps the columns of a segment that has changed; false when there is none. */
  keepColumns(): boolean {
    // No lock is waited for where there is nothing to do.
    if (!hasStaleColumns(this.#database)) return false;
    this.#files?.check();
    this.#database.exec('BEGIN IMMEDIATE');
    return this.#finishTransaction(() => keepColumns(this.#database));
  }

  close(): void {
    this.#tidyUp();
    this.#database.close();
    this.#onClose();
  }

  #tidyUp(): void {
    try {
      this.#database.exec('PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // A full disk is no reason not to end: what was committed is in the log, and the next start folds it in.
    }
  }

  /** Our own refusals come before anything is written, so they fail one request and not the group. */
  #attempt(request: WriteRequest): Outcome {
    if (request.op === 'probe') throw new TypeError('A probe is no part of a group');
    try {
      return { result: this.#apply(request) };
    } catch (error) {
      if (error instanceof TracingError) return { error };
      throw error;
    }
  }

  #apply<Op extends keyof Changes>(request: RequestOf<Changes, Op>): Changes[Op]['answer'] {
    return this.#changes[request.op](request);
  }

  /**
   * Does once more what is kept of what was refused, takes as much room as it takes and some to spare, and takes it back
   * before it is committed; then commits what changes nothing. On a full disk there is often room for a page, and none for
   * what clients send.
   */
  #probe(refused: Refusal): void {
    cachePages(this.#database, 'none');
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      this.#tryOut(refused);
      this.#commitNothing();
    } finally {
      cachePages(this.#database, 'many');
    }
  }

  #tryOut({ sample, roomBytes }: Refusal): void {
    try {
      if (sample !== undefined) this.#attempt(sample);
      this.#database.exec(`CREATE TABLE probe(bytes); INSERT INTO probe VALUES (zeroblob(${PROBE_BYTES + roomBytes}))`);
    } finally {
      this.#rollback();
    }
  }

  /** Writes the number of the schema over itself. */
  #commitNothing(): void {
    const version = this.#database.prepare('PRAGMA user_version').get()?.['user_version'];
    this.#database.exec(`PRAGMA user_version = ${String(version)}`);
  }

  #finishTransaction<Result>(work: () => Result): Result {
    try {
      const result = work();
      this.#segments.write();
      this.#runs.write();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  #rollback(): void {
    this.#names.forget();
    this.#calls.forget();
    this.#segments.forget();
    this.#runs.forget();
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // Some failures, such as a full disk, have rolled back already; the first error is the one that counts.
    }
  }
}
