import { workerData } from 'node:worker_threads';
import { loadDriver } from '../driver.ts';

/** Copies a database in a thread of its own; started by `copyDatabase` only. */
export interface CopyData {
  readonly from: string;
  /** An empty file. */
  readonly to: string;
}

const BUSY_TIMEOUT_MS = 10_000;

copy(workerData as CopyData);

/** The copy is one moment of the database, whoever writes meanwhile, and has no pages that are free. */
function copy({ from, to }: CopyData): void {
  const database = new (loadDriver().DatabaseSync)(from);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
}
