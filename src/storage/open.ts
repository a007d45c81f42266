import type { Storage } from './contract/storage.ts';

export interface StorageOptions {
  readonly engine: 'sqlite' | 'memory';
  /** File of the database, for engines that have one. @default ':memory:' */
  readonly path?: string | undefined;
  /** `power`: what was acknowledged survives a power cut too, at the price of one disk sync per commit. @default 'crash' */
  readonly durable?: 'crash' | 'power' | undefined;
}

/** A storage, and what opening it after an unclean stop has done, where the engine can tell. */
export interface OpenedStorage extends Storage {
  readonly recovery?: { readonly wasClean: boolean; readonly check: 'none' | 'ok' | 'skipped' };
}

/** Opens a storage; an engine is loaded only when it is used. */
export async function openStorage(options: StorageOptions): Promise<OpenedStorage> {
  if (options.engine === 'memory') {
    const { openMemoryStorage } = await import('./reference/memory-storage.ts');
    return openMemoryStorage();
  }
  const { openSqliteStorage } = await import('./sqlite/sqlite-storage.ts');
  return openSqliteStorage({ path: options.path ?? ':memory:', durable: options.durable });
}
