import { TracingError } from '../../../protocol/error.ts';
import type { Connection } from '../connection.ts';
import { raw } from '../../sql/sql.ts';
import { initialSchema } from './0001-initial.ts';
import { keysSchema } from './0002-keys.ts';

/** Every step of the schema, oldest first; a step that was released is never changed. */
const MIGRATIONS: readonly (readonly string[])[] = [initialSchema, keysSchema];

/** Versions that a database has reached. A step is noted when all of its statements were carried out. */
const VERSIONS = `CREATE TABLE IF NOT EXISTS schema_version (version UInt32) ENGINE = ReplacingMergeTree ORDER BY version`;

/**
 * Brings a database to our schema, forward only. There are no transactions over tables here: every statement may be
 * carried out by several services at once, or a second time after a failure, so each does nothing where it was done.
 * Throws `invalid_configuration` when a newer version wrote the database.
 */
export async function migrate(connection: Connection, migrations = MIGRATIONS): Promise<void> {
  await connection.command(VERSIONS);
  const version = await versionOf(connection);
  if (version > migrations.length) throw newerSchema(version, migrations.length);
  for (let next = version; next < migrations.length; next++) {
    // Statements of a step need none of the others.
    await Promise.all((migrations[next] ?? []).map((statement) => connection.command(repeatable(statement))));
    await connection.insert('schema_version', [{ version: next + 1 }]);
  }
}

/**
 * For who only reads or changes what is there, and may have fewer rights than a service. Throws `invalid_configuration` when
 * the database has another schema than ours, or none.
 */
export async function checkSchema(connection: Connection): Promise<void> {
  const isThere = await connection.all(
    raw(`SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = 'schema_version'`),
  );
  const version = isThere.length === 0 ? 0 : await versionOf(connection);
  if (version > MIGRATIONS.length) throw newerSchema(version, MIGRATIONS.length);
  if (version === MIGRATIONS.length) return;
  throw new TracingError(
    'invalid_configuration',
    `Cannot open the database: its schema is version ${version}, not ${MIGRATIONS.length}; \`spoor serve\` of this version brings it up to date`,
  );
}

/** The statement that does nothing where it was carried out before. */
function repeatable(statement: string): string {
  return statement.trim().replace(/^CREATE TABLE (?!IF NOT EXISTS)/, 'CREATE TABLE IF NOT EXISTS ');
}

async function versionOf(connection: Connection): Promise<number> {
  const [row] = await connection.all<{ version: number }>(raw('SELECT max(version) AS version FROM schema_version'));
  return row?.version ?? 0;
}

function newerSchema(version: number, known: number): TracingError {
  return new TracingError(
    'invalid_configuration',
    `Cannot open the database: its schema is version ${version} and this program knows up to ${known}; use a newer version of spoor`,
  );
}
