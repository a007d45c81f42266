import { checkOpenFiles, type KnownDatabase } from './upkeep/database-files.ts';
import { type DatabaseSync, loadDriver } from './driver.ts';
import { registerFunctions } from './read/functions.ts';
import { makePrivate } from '../private-file.ts';

export interface ConnectionOptions extends KnownDatabase {
  /** File of the database, or `:memory:`. */
  readonly path: string;
  /** `crash`: what was acknowledged survives the end of the process. `power`: also a power cut, by one sync per commit. */
  readonly durable: 'crash' | 'power';
}

const READER_CACHE_KIB = 16_000;
/** Pages that a writer keeps in memory before it lets go of any, or writes changed ones to the log. */
const WRITER_CACHE_KIB = {
  many: 64_000,
  /** For thousands of records at once: they come with large bodies, beside which as much is in memory. */
  half: 32_000,
  /** For what changes pages nearly in their order. */
  some: 10_000,
  /** Data that a probe writes must reach the disk before it is taken back. */
  none: 256,
};
/** Scans of bodies take half the time on a mapped file. */
const MAPPED_BYTES = 8 * 1024 ** 3;
/** A log that a long read has let grow gives the disk back what is beyond. */
const LOG_BYTES = 64 * 1024 * 1024;
const BUSY_TIMEOUT_MS = 10_000;

export function openWriteConnection({ path, durable }: ConnectionOptions): DatabaseSync {
  makePrivate(path);
  const database = new (loadDriver().DatabaseSync)(path);
  // Before all else: what follows may already have to wait for somebody who writes.
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // The page size counts only before the first table; 16 KiB pages waste least with bodies of some KB.
  database.exec('PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL');
  database.exec(
    `PRAGMA synchronous = ${durable === 'power' ? 'FULL' : 'NORMAL'}; PRAGMA wal_autocheckpoint = 2000; PRAGMA journal_size_limit = ${LOG_BYTES}`,
  );
  mapFile(database, true);
  return prepared(database, WRITER_CACHE_KIB.many);
}

export function openReadConnection(known: ConnectionOptions, checkInterrupt: () => void): DatabaseSync {
  checkOpenFiles(known);
  const database = prepared(new (loadDriver().DatabaseSync)(known.path), READER_CACHE_KIB, checkInterrupt);
  database.exec('PRAGMA query_only = 1');
  return database;
}

/**
 * Maps the file, or lets go of it. Pages of a mapping count as memory of the process once they were read, for each
 * connection anew, although the system can take them back: who reads a file from end to end seems to hold all of it.
 */
export function mapFile(database: DatabaseSync, isMapped: boolean): void {
  database.exec(`PRAGMA mmap_size = ${isMapped ? MAPPED_BYTES : 0}`);
}

/** Says how many pages a writer keeps in memory from now on. */
export function cachePages(database: DatabaseSync, howMany: keyof typeof WRITER_CACHE_KIB): void {
  database.exec(`PRAGMA cache_size = -${WRITER_CACHE_KIB[howMany]}`);
}

/** Does something that changes very many pages, of which it needs few again. */
export function withPages<Result>(
  database: DatabaseSync,
  howMany: 'many' | 'half' | 'some',
  work: () => Result,
): Result {
  if (howMany === 'many') return work();
  cachePages(database, howMany);
  try {
    return work();
  } finally {
    cachePages(database, 'many');
  }
}

function prepared(database: DatabaseSync, cacheKib: number, checkInterrupt = () => {}): DatabaseSync {
  database.exec(
    `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheKib}`,
  );
  registerFunctions(database, checkInterrupt);
  return database;
}
