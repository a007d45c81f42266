import type { KeyStore, StoredKey } from '../contract/keys.ts';
import type { ReadOptions } from '../contract/reads.ts';
import { bind, raw, sql } from '../sql/sql.ts';
import type { Connection } from './connection.ts';

/** A revoked key is above any other row of its id, whatever the clocks of services say. */
const CREATED = 0;
const REVOKED = 1;

export function clickhouseKeys(connection: Connection): KeyStore {
  const list = async (options?: ReadOptions) => {
    const rows = await connection.all<{ key: string }>(raw('SELECT key FROM keys FINAL WHERE is_revoked = 0'), options);
    return rows.map(({ key }) => JSON.parse(key) as StoredKey).sort(byCreation);
  };
  const isKnown = async (id: string, condition = '1') => {
    const found = await connection.all(
      sql`SELECT id FROM keys FINAL WHERE id = ${bind(id)} AND ${raw(condition)} LIMIT 1`,
    );
    return found.length > 0;
  };
  return {
    list,
    create: async (key) => {
      if (await isKnown(key.id)) return;
      await connection.insert('keys', [{ id: key.id, key: JSON.stringify(key), ver: CREATED, is_revoked: 0 }]);
    },
    revoke: async (id) => {
      if (!(await isKnown(id, 'is_revoked = 0'))) return false;
      await connection.insert('keys', [{ id, key: '', ver: REVOKED, is_revoked: 1 }]);
      return true;
    },
  };
}

function byCreation(one: StoredKey, other: StoredKey): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}
