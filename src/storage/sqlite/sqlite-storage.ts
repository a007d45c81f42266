import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { TracingError } from '../../protocol/error.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { Capabilities } from '../contract/capabilities.ts';
import type { FileStore } from '../contract/files.ts';
import type { ObjectStore } from '../contract/objects.ts';
import type { PackedWriter } from '../contract/packed.ts';
import type { Storage } from '../contract/storage.ts';
import type { ConnectionOptions } from './connection.ts';
import { costStore } from './write/cost-table.ts';
import { identityOf } from './upkeep/database-files.ts';
import { sqliteDialect } from './read/dialect.ts';
import { runStore } from './write/run-table.ts';
import { viewStore } from './write/view-table.ts';
import { feedbackStore } from './write/feedback-table.ts';
import { LocalChannel } from './threads/local-channel.ts';
import { ReadPool } from './threads/read-pool.ts';
import { type Reads, readsOf } from './threads/reads.ts';
import type { Recovery } from './upkeep/recovery.ts';
import { printObjectKeys } from './read/select-objects.ts';
import { SqliteOverviews } from './read/sqlite-overviews.ts';
import { SqliteCalls } from './read/sqlite-calls.ts';
import { SqliteTables } from './read/sqlite-tables.ts';
import { SqliteThreads } from './read/sqlite-threads.ts';
import { policyStore, retentionStore } from './upkeep/sqlite-retention.ts';
import { ThreadChannel } from './threads/thread-channel.ts';
import { WatchedReads } from './threads/watched-reads.ts';
import { WriteClient } from './threads/write-client.ts';

export interface SqliteOptions {
  /** File of the database, made with its folders where there is none; `:memory:` for one that is gone with the process. */
  readonly path: string;
  /** `power` syncs each commit to the disk. @default 'crash' */
  readonly durable?: 'crash' | 'power' | undefined;
  /** Bytes of writes that may wait. @default 64 MiB */
  readonly maxQueuedBytes?: number | undefined;
  /** How conditions become SQL; tests put mistakes in. */
  readonly dialect?: Dialect | undefined;
}

export interface SqliteStorage extends Storage {
  readonly recovery: Recovery;
}

const CAPABILITIES: Capabilities = {
  snapshots: true,
  atomicBatches: true,
  readYourWrites: true,
};

/** Opens a database, brings its schema up to date and checks it after an unclean stop. */
export async function openSqliteStorage(options: SqliteOptions): Promise<SqliteStorage> {
  const connection: ConnectionOptions = { path: options.path, durable: options.durable ?? 'crash' };
  const { writes, reads, recovery } = await openClients(connection, options.maxQueuedBytes);
  const dialect = options.dialect ?? sqliteDialect;
  const tables = new SqliteTables(writes, reads);
  return {
    recovery,
    capabilities: { ...CAPABILITIES, ...durabilityOf(connection) },
    calls: new SqliteCalls(writes, reads, dialect),
    objects: objectStore(writes, reads),
    files: fileStore(writes, reads),
    costs: costStore(writes, reads),
    views: viewStore(writes, reads),
    feedback: feedbackStore(writes, reads),
    tables,
    threads: new SqliteThreads(reads, dialect),
    overviews: new SqliteOverviews(reads, dialect),
    packed: packedWriter(writes, tables),
    retention: retentionStore(writes, reads),
    policy: policyStore(writes, reads),
    runs: runStore(writes, reads),
    writeQueue: () => writes.queue,
    checkHealth: async () => {
      await Promise.all([reads.checkHealth(), writes.checkHealth()]);
    },
    close: async () => {
      // Readers first: the last connection to close folds the log into the database.
      await reads.close();
      await writes.close();
    },
  };
}

interface Clients {
  readonly writes: WriteClient;
  readonly reads: WatchedReads;
  readonly recovery: Recovery;
}

async function openClients(connection: ConnectionOptions, maxQueuedBytes?: number): Promise<Clients> {
  if (connection.path === ':memory:') {
    const channel = new LocalChannel(connection);
    const writes = new WriteClient(() => channel, { maxQueuedBytes });
    return { writes, reads: new WatchedReads(readsOf(channel)), recovery: await writes.ready };
  }
  mkdirSync(dirname(connection.path), { recursive: true, mode: 0o700 });
  let known = connection;
  const writes = new WriteClient(() => new ThreadChannel({ role: 'write', options: known }), { maxQueuedBytes });
  const recovery = await writes.ready.catch((error: unknown) => {
    throw notOpened(error, connection.path);
  });
  // A thread that is started later opens this file, and makes no other.
  known = { ...connection, identity: identityOf(connection.path) };
  return { writes, reads: new WatchedReads(new ReadPool(known)), recovery };
}

/** With the file that it is about, and what helps where it is no database of ours. */
function notOpened(error: unknown, path: string): unknown {
  const reason =
    error instanceof TracingError ? /^Cannot use the database: (.*)$/s.exec(error.message)?.[1] : undefined;
  if (reason === undefined) return error;
  const remedy = /not a database|malformed/.test(reason)
    ? '; move the file away, or put a backup in its place with "spoor restore"'
    : '';
  return new TracingError('unavailable', `Cannot open the database "${path}": ${reason}${remedy}`, { cause: error });
}

function packedWriter(writes: WriteClient, tables: SqliteTables): PackedWriter {
  return {
    writeCalls: async (facts) => await writes.send({ op: 'writeCalls', facts }),
    createObject: async (object) => {
      await writes.send({ op: 'createObject', object });
    },
    createTable: async (table) => {
      await writes.send({ op: 'createTable', table });
    },
    deriveTable: async (table) => {
      await writes.send({ op: 'deriveTable', table });
    },
    createFeedback: async (feedback) => {
      await writes.send({ op: 'createFeedback', feedback, replacedId: null });
    },
    getRowDigests: async (projectId, digest, from) => await tables.getDigestPortion(projectId, digest, from),
  };
}

function objectStore(writes: WriteClient, reads: Reads): ObjectStore {
  return {
    create: async (object) => {
      await writes.send({ op: 'createObject', object });
    },
    get: async (projectId, objectId, version, options = {}) => {
      const isMetadataOnly = options.metadataOnly === true;
      return await reads.send({ op: 'getObject', projectId, objectId, version, isMetadataOnly }, {});
    },
    query: async (plan, options = {}) => {
      const list = { projectId: plan.projectId, keys: printObjectKeys(plan), maxCharacters: options.maxCharacters };
      const request = { op: 'queryObjects', isMetadataOnly: plan.metadataOnly, ...list } as const;
      return await reads.send(request, options);
    },
    delete: async (projectId, objectId, versions, deletedAt, key) => {
      const request = { op: 'deleteObjects', projectId, objectId, versions, deletedAt, key } as const;
      return await writes.send(request);
    },
  };
}

function fileStore(writes: WriteClient, reads: Reads): FileStore {
  return {
    create: async (file) => {
      await writes.send({ op: 'createFile', file });
    },
    get: async (projectId, digest) => {
      return await reads.send({ op: 'getFile', projectId, digest }, {});
    },
    totalBytes: async (projectId) => await reads.send({ op: 'fileBytes', projectId }, {}),
  };
}

function durabilityOf({ path, durable }: ConnectionOptions): Pick<Capabilities, 'durable'> {
  if (path === ':memory:') return {};
  return { durable: durable === 'power' ? 'power' : 'process' };
}
