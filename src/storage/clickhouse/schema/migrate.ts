import { TracingError } from '../../../protocol/error.ts';
import type { Connection } from '../connection.ts';
import { raw } from '../../sql/sql.ts';
import { checkCluster, clustered } from './cluster.ts';
import { initialSchema } from './0001-initial.ts';
import { keysSchema } from './0002-keys.ts';
import { settingsSchema } from './0003-settings.ts';
import { compactPartsSchema } from './0004-compact-parts.ts';
import { usesSchema } from './0005-uses.ts';
import { fewMutationsSchema } from './0006-few-mutations.ts';
import { traceSpansSchema } from './0008-trace-spans.ts';
import { runsSchema } from './0009-runs.ts';

/** Every step of the schema, oldest first; a step that was released is never changed. */
const MIGRATIONS: readonly (readonly string[])[] = [
  initialSchema,
  keysSchema,
  settingsSchema,
  compactPartsSchema,
  usesSchema,
  fewMutationsSchema,
  ...traceSpansSchema,
  runsSchema,
];

interface Schema {
  /** @default those of this version */
  readonly migrations?: readonly (readonly string[])[];
  /** Name of the cluster on whose servers tables are made. @default none */
  readonly cluster?: string | undefined;
}

/** Versions that a database has reached. A step is noted when all of its statements were carried out. */
const VERSIONS = `CREATE TABLE IF NOT EXISTS schema_version (version UInt32) ENGINE = ReplacingMergeTree ORDER BY version`;

/**
 * Brings a database to our schema, forward only. There are no transactions over tables here: every statement may be
 * carried out by several services at once, or a second time after a failure, so each does nothing where it was done.
 * With the name of a cluster tables are made on all of its servers. Throws `invalid_configuration` when a newer version
 * wrote the database, or when its tables are those of one server and of a cluster the other way round.
 */
export async function migrate(
  connection: Connection,
  { migrations = MIGRATIONS, cluster }: Schema = {},
): Promise<void> {
  if (cluster !== undefined) checkCluster(cluster);
  await checkCopies(connection, cluster);
  await connection.alter(statementOf(VERSIONS, cluster));
  const version = await versionOf(connection);
  if (version > migrations.length) throw newerSchema(version, migrations.length);
  for (let next = version; next < migrations.length; next++) {
    // Statements of a step need none of the others.
    await Promise.all((migrations[next] ?? []).map((statement) => connection.alter(statementOf(statement, cluster))));
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

/** All statements that make an empty database ours, in their order. */
export function schemaStatements(cluster?: string): string[] {
  return [VERSIONS, ...MIGRATIONS.flat()].map((statement) => statementOf(statement, cluster));
}

/** The statement that does nothing where it was carried out before. */
function statementOf(statement: string, cluster: string | undefined): string {
  const repeatable = statement.trim().replace(/^CREATE TABLE (?!IF NOT EXISTS)/, 'CREATE TABLE IF NOT EXISTS ');
  return cluster === undefined ? repeatable : clustered(repeatable, cluster);
}

/** Tables of one server would stay so, and new ones of a cluster would be beside them on one server alone. */
async function checkCopies(connection: Connection, cluster: string | undefined): Promise<void> {
  const [table] = await connection.all<{ engine: string }>(
    raw(`SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'schema_version'`),
  );
  if (table === undefined) return;
  const hasCopies = table.engine.startsWith('Replicated');
  if (hasCopies === (cluster !== undefined)) return;
  throw new TracingError(
    'invalid_configuration',
    hasCopies
      ? 'Cannot open the database: its tables are those of a cluster; name it with SPOOR_STORAGE_CLUSTER'
      : `Cannot open the database for the cluster "${cluster}": its tables are those of one server; \`spoor export\` and \`import\` move them into another database`,
  );
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
