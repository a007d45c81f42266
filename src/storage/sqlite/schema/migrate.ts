import { TracingError } from '../../../protocol/error.ts';
import type { DatabaseSync } from '../driver.ts';
import { initialSchema } from './0001-initial.ts';
import { tablesSchema } from './0002-tables.ts';
import { costSchema } from './0003-costs.ts';
import { feedbackSchema } from './0004-feedback.ts';
import { deletionSchema } from './0005-deletions.ts';
import { lookupSchema } from './0006-lookups.ts';
import { tokenPriceSchema } from './0007-token-prices.ts';
import { endRevisionSchema } from './0008-end-revisions.ts';
import { segmentSchema } from './0009-segments.ts';
import { viewSchema } from './0010-views.ts';
import { columnsAnewSchema } from './0011-columns-anew.ts';
import { firstChunksSchema } from './0012-first-chunks.ts';
import { runningCallsSchema } from './0013-running-calls.ts';
import { settingsSchema } from './0014-settings.ts';
import { runsSchema } from './0015-runs.ts';

/** Every step of the schema, oldest first; a step that was released is never changed. */
export const MIGRATIONS: readonly string[] = [
  initialSchema,
  tablesSchema,
  costSchema,
  feedbackSchema,
  deletionSchema,
  lookupSchema,
  tokenPriceSchema,
  endRevisionSchema,
  segmentSchema,
  viewSchema,
  columnsAnewSchema,
  firstChunksSchema,
  runningCallsSchema,
  settingsSchema,
  runsSchema,
];

/**
 * Brings a database to our schema in one transaction, forward only. Throws `invalid_configuration` when it
 * was written by a newer version.
 */
export function migrate(database: DatabaseSync, migrations: readonly string[] = MIGRATIONS): void {
  const version = versionOf(database);
  refuseNewer(version, migrations.length);
  if (version === migrations.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated while we waited for the lock.
    for (const step of migrations.slice(versionOf(database))) database.exec(step);
    database.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // Some failures, such as a full disk, have rolled back already; the first error is the one that counts.
  }
}

/** Has a database the schema of this program, and not an older one? */
export function isUpToDate(database: DatabaseSync): boolean {
  return versionOf(database) === MIGRATIONS.length;
}

/** Throws `invalid_configuration` when a file is no database of ours, or one that a newer version wrote. */
export function refuseForeign(database: DatabaseSync, path: string): void {
  const version = versionOf(database);
  if (version === 0) throw new TracingError('invalid_configuration', `There is no data of spoor in "${path}"`);
  refuseNewer(version, MIGRATIONS.length);
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new TracingError(
    'invalid_configuration',
    `Cannot open the database: its schema is version ${version} and this program knows up to ${known}; use a newer version of spoor`,
  );
}
