import { TracingError } from '../../protocol/error.ts';
import type { Storage } from '../contract/storage.ts';
import { raw } from '../sql/sql.ts';
import { ClickhouseCalls } from './clickhouse-calls.ts';
import { ClickhouseFeedback } from './clickhouse-feedback.ts';
import { ClickhouseFiles } from './clickhouse-files.ts';
import { clickhouseKeys } from './clickhouse-keys.ts';
import { clickhousePolicy } from './clickhouse-settings.ts';
import { ClickhouseObjects } from './clickhouse-objects.ts';
import { ClickhouseRuns } from './clickhouse-runs.ts';
import { ClickhouseTables } from './clickhouse-tables.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './open-connection.ts';
import { CallReads } from './read/call-reads.ts';
import { ClickhouseOverviews } from './read/clickhouse-overviews.ts';
import { ClickhouseThreads } from './read/clickhouse-threads.ts';
import { clickhouseCosts, clickhouseViews } from './small-records.ts';
import { ClickhouseRetention } from './upkeep/clickhouse-retention.ts';
import { Leases } from './upkeep/lease.ts';
import { Reconciler } from './upkeep/reconciler.ts';
import { Removals } from './upkeep/removals.ts';
import { CallWriter } from './write/call-writer.ts';

export interface ClickhouseOptions {
  /** Address with user, password and database: `http://user:pass@host:8123/db`. The database must exist. */
  readonly url: string | undefined;
  /** Name of the cluster on whose servers tables are made, each with a copy. @default none: one server */
  readonly cluster?: string | undefined;
  /** Milliseconds between the beginnings of two groups of writes. @default 200 */
  readonly groupMs?: number | undefined;
  /** Memory that one read may take in the server, in bytes; 0 leaves it to the settings of the server. @default 4 GiB */
  readonly maxMemoryBytes?: number | undefined;
}

const GROUP_MS = 200;

export interface ClickhouseStorage extends Storage {
  /** Address of the database, without user and password. */
  readonly databaseUrl: string;
}

/** Opens a storage in a database of ClickHouse, 25.8 or newer. Rejects with `invalid_configuration` or `unavailable`. */
export async function openClickhouseStorage(options: ClickhouseOptions): Promise<ClickhouseStorage> {
  const { connection, shown } = await openConnection(options);
  return { databaseUrl: shown, ...storageOn(connection, options) };
}

function storageOn(connection: Connection, { groupMs = GROUP_MS, cluster = '' }: ClickhouseOptions): Storage {
  let closing: Promise<void> | undefined;
  const writer = new CallWriter(connection, groupMs);
  const leases = new Leases(connection);
  const removals = new Removals(connection, { hasCopies: cluster !== '' });
  const reconciler = new Reconciler(connection, writer, leases);
  const feedback = new ClickhouseFeedback(connection);
  const reads = new CallReads(connection, (projectId) => feedback.byRef(projectId));
  const calls = new ClickhouseCalls(connection, writer, reads);
  return {
    capabilities: { durable: 'process', readYourWrites: true },
    calls,
    feedback,
    objects: new ClickhouseObjects(connection),
    files: new ClickhouseFiles(connection),
    tables: new ClickhouseTables(connection),
    costs: clickhouseCosts(connection),
    views: clickhouseViews(connection),
    threads: new ClickhouseThreads(connection),
    overviews: new ClickhouseOverviews(connection, calls, reads),
    retention: new ClickhouseRetention(connection, writer, removals),
    policy: clickhousePolicy(connection),
    runs: new ClickhouseRuns(connection, calls, reads),
    keys: clickhouseKeys(connection),
    takeLease: leases.take,
    watchCalls: reconciler.watch,
    writeQueue: () => writer.queue,
    checkHealth: async () => {
      if (closing !== undefined) throw new TracingError('unavailable', 'Cannot use the storage: it is closed');
      await connection.all(raw('SELECT 1'), { deadlineMs: HEALTH_MS });
      await reconciler.check();
    },
    close: () => (closing ??= closeAll(removals, reconciler, writer, leases, connection)),
  };
}

/** Parts that others need are closed last. */
async function closeAll(...parts: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of parts) await part.close();
}

/** Who asks for the health of the service waits so long for the engine. */
const HEALTH_MS = 5000;
