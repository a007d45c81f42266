import { existsSync } from 'node:fs';
import { TracingError } from '../../protocol/error.ts';
import { digestBytes } from '../../protocol/digest.ts';
import { openReadConnection } from './connection.ts';
import type { DatabaseSync } from './driver.ts';
import { INVARIANTS } from './invariants.ts';
import { refuseForeign } from './migrate.ts';
import { numberOf, textOf } from './text.ts';

/** What was looked at, and what is wrong with it, if anything is. */
export interface CheckResult {
  readonly about: string;
  readonly problem?: string;
}

/**
 * Checks a database whole, one thing after the other: the pages and indexes of the file, then what must hold between
 * the tables, then that values are those their digests were made of. All of one moment; writers go on meanwhile.
 */
export function* checkDatabase(path: string): Generator<CheckResult> {
  if (!existsSync(path)) throw new TracingError('invalid_configuration', `There is no database "${path}"`);
  const database = openReadConnection({ path, durable: 'crash' }, () => undefined);
  try {
    const pages = checkPages(database);
    yield pages;
    // In a file whose pages are damaged nothing else can be trusted.
    if (pages.problem !== undefined) return;
    refuseForeign(database, path);
    database.exec('BEGIN');
    for (const { about, violations } of INVARIANTS) yield { about, ...problemOf(countOf(database, violations)) };
    for (const [about, query] of Object.entries(DIGESTS)) yield { about, ...problemOf(wrongDigests(database, query)) };
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

const MAX_MESSAGES = 5;

function checkPages(database: DatabaseSync): CheckResult {
  const about = 'pages and indexes';
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
  const statement = database.prepare(query);
  let count = 0;
  for (const { digest, bytes } of statement.iterate()) {
    if (!(bytes instanceof Uint8Array) || digestBytes(bytes) !== digest) count++;
  }
  return count;
}
