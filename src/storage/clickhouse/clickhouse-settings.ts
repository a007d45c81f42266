import type { ReadOptions } from '../contract/reads.ts';
import type { PolicyStore } from '../contract/retention.ts';
import { bind, sql } from '../sql/sql.ts';
import { POLICY, readPolicy } from '../values/policy-setting.ts';
import type { Connection } from './connection.ts';

interface Setting {
  readonly value: string;
  readonly ver: number;
}

/** A setting of all services on the database; undefined where nobody has made it. */
export async function readSetting(
  connection: Connection,
  name: string,
  options?: ReadOptions,
): Promise<string | undefined> {
  return (await settingOf(connection, name, options))?.value;
}

/** The policy of all services on the database. */
export function clickhousePolicy(connection: Connection): PolicyStore {
  return {
    get: async (options) => readPolicy(await readSetting(connection, POLICY, options)),
    set: async (policy) => await writeSetting(connection, POLICY, JSON.stringify(policy)),
  };
}

/** Clocks of services differ: what is said now replaces what was there. */
async function writeSetting(connection: Connection, name: string, value: string): Promise<void> {
  const known = await settingOf(connection, name);
  const ver = Math.max(Date.now() * 1000, (known?.ver ?? 0) + 1);
  await connection.insert('settings', [{ name, value, ver }]);
}

async function settingOf(connection: Connection, name: string, options?: ReadOptions): Promise<Setting | undefined> {
  const [row] = await connection.all<Setting>(
    sql`SELECT value, ver FROM settings FINAL WHERE name = ${bind(name)}`,
    options,
  );
  return row;
}
