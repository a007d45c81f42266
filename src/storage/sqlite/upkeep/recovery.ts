import { existsSync, statSync } from 'node:fs';
import { TracingError } from '../../../protocol/error.ts';
import type { DatabaseSync } from '../driver.ts';

/** The report of opening: what it found and did. */
export interface Recovery {
  /** The last stop closed the database, or there was none. */
  readonly wasClean: boolean;
  /** `ok`: the file was checked after an unclean stop. `skipped`: it is too large to be checked while a service starts. */
  readonly check: 'none' | 'ok' | 'skipped';
}

/** A check reads the whole file, about 1 GB per second. */
const MAX_CHECKED_BYTES = 256 * 1024 * 1024;

/** A log that was not folded into the database means that nobody closed it. */
export function isUnclean(path: string): boolean {
  const log = `${path}-wal`;
  return path !== ':memory:' && existsSync(log) && statSync(log).size > 0;
}

/** Checks a database after an unclean stop; throws `unavailable` when it is damaged. */
export function checkAfterStop(database: DatabaseSync, path: string, wasUnclean: boolean): Recovery {
  if (!wasUnclean) return { wasClean: true, check: 'none' };
  if (statSync(path).size > MAX_CHECKED_BYTES) return { wasClean: false, check: 'skipped' };
  const found = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (found === 'ok') return { wasClean: false, check: 'ok' };
  throw new TracingError('unavailable', `Cannot open the database "${path}": it is damaged: ${String(found)}`);
}
