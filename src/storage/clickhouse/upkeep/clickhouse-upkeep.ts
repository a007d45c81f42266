import type { KeyStore } from '../../contract/keys.ts';
import type { CheckResult } from '../../contract/upkeep.ts';
import { raw } from '../../sql/sql.ts';
import { checkPolicy, POLICY } from '../../values/policy-setting.ts';
import { clickhouseKeys } from '../clickhouse-keys.ts';
import { readSetting } from '../clickhouse-settings.ts';
import type { Connection } from '../connection.ts';
import { reasonOf } from '../failure.ts';
import { openConnection } from '../open-connection.ts';

interface OpenKeys {
  readonly store: KeyStore;
  readonly place: string;
  close(): Promise<void>;
}

/** The keys in a database alone, for who changes them beside the services. Rejects as `openConnection` does. */
export async function openClickhouseKeys(url: string | undefined): Promise<OpenKeys> {
  const { connection, shown } = await openConnection({ url, keepsSchema: true });
  return {
    store: clickhouseKeys(connection),
    place: `ClickHouse at ${shown}`,
    close: async () => await connection.close(),
  };
}

const TABLES = 'SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name';

/** Checks the database, then what every table has on the disk of the server. What cannot be read is a problem. */
export async function* checkClickhouse(url: string | undefined): AsyncGenerator<CheckResult> {
  const { connection, shown } = await openConnection({ url, keepsSchema: true, isReader: true });
  try {
    const [server] = await connection.all<{ version: string }>(raw('SELECT version() AS version'));
    yield { about: `ClickHouse ${server?.version ?? ''} at ${shown}` };
    for (const { name } of await connection.all<{ name: string }>(raw(TABLES)))
      yield await checkTable(connection, name);
    yield* checkPolicy(await readSetting(connection, POLICY));
  } finally {
    await connection.close();
  }
}

/** By settings of the server it tells of every part, or of all together. */
interface Verdict {
  readonly is_passed?: number | boolean;
  readonly result?: number | boolean;
  readonly part_path?: string;
  readonly message?: string;
}

async function checkTable(connection: Connection, name: string): Promise<CheckResult> {
  const about = `table ${name}`;
  try {
    const verdicts = await connection.all<Verdict>(raw(`CHECK TABLE \`${name}\``), { deadlineMs: Infinity });
    const broken = verdicts.find(({ is_passed: isPassed, result }) => !(isPassed ?? result));
    return broken === undefined ? { about } : { about, problem: problemOf(broken) };
  } catch (error) {
    return { about, problem: reasonOf(error) };
  }
}

function problemOf({ part_path: path, message }: Verdict): string {
  return path === undefined ? 'a part of it is damaged: the log of the server names it' : `${path}: ${message ?? ''}`;
}
