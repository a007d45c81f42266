import { TracingError } from '../../../protocol/error.ts';
import { keepPages } from '../connection.ts';
import { CostTable } from './cost-table.ts';
import { ViewTable } from './view-table.ts';
import type { DatabaseFiles } from '../upkeep/database-files.ts';
import type { DatabaseSync } from '../driver.ts';
import { FeedbackTable } from './feedback-table.ts';
import type { WriteRequest } from '../threads/messages.ts';
import { Names } from './names.ts';
import { factsOf } from '../../packed/packed-facts.ts';
import { feedbackOf } from '../../packed/packed-feedback.ts';
import { tableOf } from '../../packed/packed-table.ts';
import type { Refusal } from './refusal.ts';
import { giveBack, OldTraces } from '../upkeep/remove-traces.ts';
import { CallTables } from './write-calls.ts';
import { ObjectTables } from './write-objects.ts';
import { DatasetTables } from './write-tables.ts';

/** More than small writes need beside the one that was refused. */
const PROBE_BYTES = 1024 * 1024;

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
  readonly #calls: CallTables;
  readonly #objects: ObjectTables;
  readonly #costs: CostTable;
  readonly #views: ViewTable;
  readonly #feedback: FeedbackTable;
  readonly #datasets: DatasetTables;
  readonly #oldTraces: OldTraces;

  constructor(database: DatabaseSync, { files, onClose = () => undefined }: WriterOptions = {}) {
    this.#database = database;
    this.#files = files;
    this.#onClose = onClose;
    this.#names = new Names(database);
    this.#calls = new CallTables(database, this.#names);
    this.#objects = new ObjectTables(database, this.#names);
    this.#costs = new CostTable(database, this.#names);
    this.#views = new ViewTable(database, this.#names);
    this.#feedback = new FeedbackTable(database, this.#names);
    this.#datasets = new DatasetTables(database, this.#names);
    this.#oldTraces = new OldTraces(database, this.#names);
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

  /** Removes some of what was deleted; false when nothing is left. */
  purge(): boolean {
    this.#files?.check();
    this.#database.exec('BEGIN IMMEDIATE');
    return this.#finishTransaction(() => this.#calls.purge());
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
    try {
      return { result: this.#apply(request) };
    } catch (error) {
      if (error instanceof TracingError) return { error };
      throw error;
    }
  }

  #apply(request: WriteRequest): unknown {
    switch (request.op) {
      case 'writeCalls':
        return this.#calls.write(factsOf(request.facts));
      case 'rename':
        return this.#calls.rename(request.projectId, request.callId, request.displayName);
      case 'delete':
        return this.#calls.delete(request.projectId, request.callIds, request.deletedAt);
      case 'createObject':
        return this.#objects.createObject(request.object);
      case 'deleteObjects':
        return this.#objects.deleteVersions(request);
      case 'createTable':
        return this.#datasets.createTable(tableOf(request.table));
      case 'createFile':
        return this.#objects.createFile(request.file);
      case 'createCosts':
        return this.#costs.create(request.costs);
      case 'purgeCosts':
        return this.#costs.purge(request.projectId, request.ids);
      case 'saveView':
        return this.#views.save(request.view);
      case 'deleteView':
        return this.#views.delete(request.projectId, request.id);
      case 'createFeedback':
        return this.#feedback.createAll(feedbackOf(request.feedback), request.replacedId);
      case 'purgeFeedback':
        return this.#feedback.purge(request.projectId, request.ids);
      case 'removeTraces':
        return this.#oldTraces.remove(request);
      case 'removeHalves':
        return this.#oldTraces.removeHalves(request.projectId, request.before);
      case 'giveBack':
        return giveBack(this.#database);
      case 'probe':
        throw new TypeError('A probe is no part of a group');
    }
  }

  /**
   * Does once more what is kept of what was refused, takes as much room as it takes and some to spare, and takes it back
   * before it is committed; then commits what changes nothing. On a full disk there is often room for a page, and none for
   * what clients send.
   */
  #probe(refused: Refusal): void {
    keepPages(this.#database, false);
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      this.#tryOut(refused);
      this.#commitNothing();
    } finally {
      keepPages(this.#database, true);
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
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // Some failures, such as a full disk, have rolled back already; the first error is the one that counts.
    }
  }
}
