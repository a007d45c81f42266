import { addKey, isLocalKey, type KeyRecord, listKeys, makeKey, revokeKey } from '../../server/keys/keys.ts';
import type { OpenKeyStore } from '../../storage/open.ts';
import { readServerFile } from '../../spool/server-file.ts';
import { dataFolder, hasHomeFolder, homeFolder } from '../data-folder.ts';
import type { PlaceOptions } from '../data-upkeep.ts';
import { timeColumn } from '../output/columns.ts';
import { printJson } from '../output/json.ts';
import { toLine } from '../output/plain-text.ts';
import { remark, say } from '../output/say.ts';
import { tableLines } from '../output/table.ts';

export interface KeysOptions extends PlaceOptions {
  readonly json?: true;
}

export interface CreateKeyOptions extends KeysOptions {
  readonly entities?: readonly string[];
  readonly import?: true;
}

/** Makes a key; the key itself is printed this once and kept nowhere. */
export async function printNewKey(name: string, options: CreateKeyOptions): Promise<void> {
  const { key, record } = makeKey({
    name,
    ...(options.entities && { entities: options.entities }),
    ...(options.import && { privileges: ['import'] }),
  });
  await withKeys(options, async ({ store }) => await store.create(record));
  if (options.json) return printJson({ key, ...publicPart(record) });
  process.stdout.write(`${key}\n`);
  remark(`Key "${toLine(record.id)}" for ${toLine(name)}; it is not shown again`);
}

export async function printKeys(options: KeysOptions): Promise<void> {
  const { records, place } = await withKeys(options, async ({ store, place: of }) => ({
    records: await store.list(),
    place: of,
  }));
  if (options.json) return printJson(records.map(publicPart));
  if (records.length === 0) {
    remark(`No keys in ${toLine(place)}`);
    return;
  }
  const lines = tableLines(records, [
    { head: 'id', cell: ({ id }) => toLine(id) },
    { head: 'name', cell: ({ name }) => toLine(name), least: 12 },
    { head: 'key', cell: ({ prefix }) => `${toLine(prefix)}…`, rank: 1 },
    { head: 'entities', cell: ({ entities }) => toLine(entities.join(', ')), least: 10 },
    { head: 'privileges', cell: ({ privileges }) => privileges.join(', '), rank: 2 },
    timeColumn(({ createdAt }) => createdAt, 'created'),
  ]);
  process.stdout.write(`${lines.join('\n')}\n`);
}

export async function printRevocation(id: string, options: KeysOptions): Promise<void> {
  await withKeys(options, async ({ store, place }) => {
    if (!(await store.revoke(id))) throw new Error(`There is no key "${id}" in ${place}`);
  });
  if (options.json) printJson({ id, revoked: true });
  else say(`Key "${toLine(id)}" is revoked`);
}

/** The keys of the services on a database, or of the one on a data folder. */
async function withKeys<T>(options: PlaceOptions, work: (keys: OpenKeyStore) => Promise<T>): Promise<T> {
  const keys = options.storage === 'clickhouse' ? await openShared(options) : folderKeys(ownFolder(options));
  try {
    return await work(keys);
  } finally {
    await keys.close();
  }
}

/** Keys in a folder do not count where the service has them in a database. */
function ownFolder(options: PlaceOptions): string {
  const database = options.data === undefined ? readServerFile(homeFolder())?.database : undefined;
  if (database === undefined) return dataFolder(options);
  throw new Error(
    `The service that runs here has its keys in ClickHouse at ${database}: set SPOOR_STORAGE and SPOOR_STORAGE_URL as it has them`,
  );
}

/** Those of the database, and that of this machine's service, which its data folder has: a machine without a home has none. */
async function openShared(options: PlaceOptions): Promise<OpenKeyStore> {
  const { openKeyStore } = await import('../../storage/open.ts');
  const folder = options.data !== undefined || hasHomeFolder() ? dataFolder(options) : undefined;
  const shared = await openKeyStore(options.storageUrl);
  const listOwn = () => (folder === undefined ? [] : listKeys(folder).filter(isLocalKey));
  return {
    ...shared,
    store: {
      list: async () => [...listOwn(), ...(await shared.store.list())],
      create: async (record) => await shared.store.create(record),
      // The folder is not asked for keys that it cannot have: it may be damaged.
      revoke: async (id) =>
        folder !== undefined && isLocalKey({ id }) && listOwn().length > 0
          ? revokeKey(folder, id)
          : await shared.store.revoke(id),
    },
  };
}

function folderKeys(folder: string): OpenKeyStore {
  return {
    store: {
      list: async () => listKeys(folder),
      create: async (record) => addKey(folder, record),
      revoke: async (id) => revokeKey(folder, id),
    },
    place: folder,
    close: async () => {},
  };
}

/** Without the hash, which is nobody's business. */
function publicPart({ hash: _hash, ...rest }: KeyRecord): Omit<KeyRecord, 'hash'> {
  return rest;
}
