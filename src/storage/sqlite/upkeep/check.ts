import { existsSync } from 'node:fs';
import { TracingError } from '../../../protocol/error.ts';
import { digestBytes } from '../../../protocol/values/digest.ts';
import type { CheckResult } from '../../contract/upkeep.ts';
import { openReadConnection } from '../connection.ts';
import type { DatabaseSync } from '../driver.ts';
import { INVARIANTS } from './invariants.ts';
import { iterate } from '../read/iterate.ts';
import { selectSetting } from '../write/setting-table.ts';
import { checkPolicy, POLICY } from '../../values/policy-setting.ts';
import { isUpToDate, refuseForeign } from '../schema/migrate.ts';
import { numberOf, textOf } from '../read/text.ts';

/**
 * Checks a database whole, one thing after the other: the pages and indexes of the file, then what must hold between
 * the tables and that values are those their digests were made of, of one moment. Writers go on meanwhile.
 */
export function* checkDatabase(path: string): Generator<CheckResult> {
  if (!existsSync(path)) throw new TracingError('invalid_configuration', `There is no database "${path}"`);
  const database = openForCheck(path);
  if (typeof database === 'string') {
    yield { about: PAGES, problem: database };
    return;
  }
  try {
    const pages = checkPages(database);
    yield pages;
    // In a file whose pages are damaged nothing else can be trusted.
    if (pages.problem !== undefined) return;
    refuseForeign(database, path);
    if (!isUpToDate(database)) {
      yield { about: 'older schema: the next start of a service renews it, the rest can be checked then' };
      return;
    }
    database.exec('BEGIN');
    for (const { about, violations } of INVARIANTS) yield { about, ...problemOf(countOf(database, violations)) };
    for (const [about, query] of Object.entries(DIGESTS)) yield { about, ...problemOf(wrongDigests(database, query)) };
    database.exec('COMMIT');
    yield* checkPolicy(selectSetting(database, POLICY));
  } finally {
    database.close();
  }
}

const PAGES = 'pages and indexes';

/** Messages of SQLite on a file that is damaged, or is no database. */
export const DAMAGED: readonly string[] = ['file is not a database', 'database disk image is malformed'];

/** The database, or why it is none. */
function openForCheck(path: string): DatabaseSync | string {
  try {
    return openReadConnection({ path, durable: 'crash' }, () => undefined);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (DAMAGED.includes(reason)) return reason;
    throw new TracingError('unavailable', `Cannot check "${path}": ${reason}`, { cause });
  }
}

const MAX_MESSAGES = 5;

function checkPages(database: DatabaseSync): CheckResult {
  const about = PAGES;
  try {
    const rows = database.prepare(`PRAGMA integrity_check(${MAX_MESSAGES})`).all();
    const messages = rows.map((row) => textOf(row['integrity_check']) ?? '');
    return messages[0] === 'ok' ? { about } : { about, problem: messages.join('; ') };
  } catch (error) {
    // A file that is too broken to be checked at all.
    return { about, problem: error instanceof Error ? error.message : String(error) };
  }
}

function countOf(database: DatabaseSync, violations: string): number {
  return numberOf(database.prepare(`SELECT count(*) AS count FROM (${violations})`).get()?.['count']) ?? 0;
}

function problemOf(count: number): { problem?: string } {
  return count === 0 ? {} : { problem: `does not hold for ${count} ${count === 1 ? 'row' : 'rows'}` };
}

const DIGESTS = {
  'files are those of their digests': 'SELECT digest, bytes FROM file',
  'objects are those of their digests': 'SELECT digest, CAST(val AS BLOB) AS bytes FROM object WHERE val IS NOT NULL',
  'rows of tables are those of their digests': 'SELECT digest, CAST(val AS BLOB) AS bytes FROM dataset_row',
};

function wrongDigests(database: DatabaseSync, query: string): number {
  let count = 0;
  for (const { digest, bytes } of iterate(database.prepare(query))) {
    if (!(bytes instanceof Uint8Array) || digestBytes(bytes) !== digest) count++;
  }
  return count;
}
