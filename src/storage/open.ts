import { TracingError } from '../protocol/error.ts';
import type { KeyStore } from './contract/keys.ts';
import type { Storage } from './contract/storage.ts';
import type { CheckResult, Upkeep } from './contract/upkeep.ts';

export interface StorageOptions {
  readonly engine: 'sqlite' | 'memory' | 'clickhouse';
  /** File of the database, for engines that have one. @default ':memory:' */
  readonly path?: string | undefined;
  /** Address of the database, for engines that have one: `http://user:password@host:8123/database`. */
  readonly url?: string | undefined;
  /** Name of the cluster that the database is on, for engines that have one. @default none */
  readonly cluster?: string | undefined;
  /** `power`: what was acknowledged survives a power cut too, at the price of one disk sync per commit. @default 'crash' */
  readonly durable?: 'crash' | 'power' | undefined;
}

/** A storage, and what opening it after an unclean stop has done, where the engine can tell. */
export interface OpenedStorage extends Storage {
  readonly recovery?: { readonly wasClean: boolean; readonly check: 'none' | 'ok' | 'skipped' };
  /** Address of the database without user and password, where it has one. */
  readonly databaseUrl?: string;
}

/** Opens a storage; an engine is loaded only when it is used. */
export async function openStorage(options: StorageOptions): Promise<OpenedStorage> {
  if (options.engine === 'memory') {
    const { openMemoryStorage } = await import('./reference/memory-storage.ts');
    return openMemoryStorage();
  }
  if (options.engine === 'clickhouse') {
    const { openClickhouseStorage } = await import('./clickhouse/clickhouse-storage.ts');
    return await openClickhouseStorage({ url: options.url, cluster: options.cluster });
  }
  const { openSqliteStorage } = await import('./sqlite/sqlite-storage.ts');
  return openSqliteStorage({ path: options.path ?? ':memory:', durable: options.durable });
}

/** Care of what an engine keeps, whether a storage is open on it or not. Throws `invalid_configuration` where nothing is kept. */
export async function openUpkeep({ engine, path }: Pick<StorageOptions, 'engine' | 'path'>): Promise<Upkeep> {
  if (engine === 'clickhouse') {
    const remedy = 'BACKUP and RESTORE of its own do that (docs/guides/scale.md)';
    throw new TracingError('invalid_configuration', `Cannot back up or restore data that is in ClickHouse: ${remedy}`);
  }
  if (engine === 'memory' || path === undefined) {
    throw new TracingError('invalid_configuration', 'Cannot care for data in memory: it goes with its process');
  }
  const { sqliteUpkeep } = await import('./sqlite/upkeep/sqlite-upkeep.ts');
  return sqliteUpkeep(path);
}

/** Keys that services share, opened beside them. */
export interface OpenKeyStore {
  readonly store: KeyStore;
  /** Where they are, without user and password. */
  readonly place: string;
  close(): Promise<void>;
}

/** The keys in a database of ClickHouse. Rejects with `invalid_configuration` or `unavailable`. */
export async function openKeyStore(url: string | undefined): Promise<OpenKeyStore> {
  const { openClickhouseKeys } = await import('./clickhouse/upkeep/clickhouse-upkeep.ts');
  return await openClickhouseKeys(url);
}

/** Checks all that a database of ClickHouse keeps, one table after the other, while services use it. */
export async function* checkDatabase(url: string | undefined): AsyncGenerator<CheckResult> {
  const { checkClickhouse } = await import('./clickhouse/upkeep/clickhouse-upkeep.ts');
  yield* checkClickhouse(url);
}
