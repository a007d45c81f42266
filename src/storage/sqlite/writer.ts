import { TracingError } from '../../protocol/error.ts';
import { CostTable } from './cost-table.ts';
import type { DatabaseSync } from './driver.ts';
import { FeedbackTable } from './feedback-table.ts';
import type { WriteRequest } from './messages.ts';
import { Names } from './names.ts';
import { factsOf } from './packed-facts.ts';
import { tableOf } from './packed-table.ts';
import { giveBack, OldTraces } from './remove-traces.ts';
import { CallTables } from './write-calls.ts';
import { ObjectTables } from './write-objects.ts';
import { DatasetTables } from './write-tables.ts';

export type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** Owns the connection that writes. */
export class Writer {
  readonly #database: DatabaseSync;
  readonly #onClose: () => void;
  readonly #names: Names;
  readonly #calls: CallTables;
  readonly #objects: ObjectTables;
  readonly #costs: CostTable;
  readonly #feedback: FeedbackTable;
  readonly #datasets: DatasetTables;
  readonly #oldTraces: OldTraces;

  constructor(database: DatabaseSync, onClose: () => void = () => undefined) {
    this.#database = database;
    this.#onClose = onClose;
    this.#names = new Names(database);
    this.#calls = new CallTables(database, this.#names);
    this.#objects = new ObjectTables(database, this.#names);
    this.#costs = new CostTable(database, this.#names);
    this.#feedback = new FeedbackTable(database, this.#names);
    this.#datasets = new DatasetTables(database, this.#names);
    this.#oldTraces = new OldTraces(database, this.#names);
  }

  /**
   * Carries out requests in one transaction. When that fails each is tried in a transaction of its own, so
   * that only the bad one fails; where none can begin, all fail, as each would wait as long for nothing.
   */
  writeGroup(requests: readonly WriteRequest[]): Outcome[] {
    try {
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
    this.#database.exec('BEGIN IMMEDIATE');
    return this.#finishTransaction(() => this.#calls.purge());
  }

  close(): void {
    this.#database.exec('PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)');
    this.#database.close();
    this.#onClose();
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
      case 'createFeedback':
        return this.#feedback.createAll(request.feedback, request.replacedId);
      case 'purgeFeedback':
        return this.#feedback.purge(request.projectId, request.ids);
      case 'removeTraces':
        return this.#oldTraces.remove(request);
      case 'removeHalves':
        return this.#oldTraces.removeHalves(request.projectId, request.before);
      case 'giveBack':
        return giveBack(this.#database);
      case 'probe':
        return this.#probe();
    }
  }

  /** Writes the number of the schema over itself. */
  #probe(): void {
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
