import type { ClickHouseClient } from '@clickhouse/client';
import type * as Driver from '@clickhouse/client';
import { TracingError } from '../../protocol/error.ts';
import type { Storage } from '../contract/storage.ts';
import { raw } from '../sql/sql.ts';
import { ClickhouseCalls } from './clickhouse-calls.ts';
import { ClickhouseFeedback } from './clickhouse-feedback.ts';
import { ClickhouseFiles } from './clickhouse-files.ts';
import { ClickhouseObjects } from './clickhouse-objects.ts';
import { ClickhouseTables } from './clickhouse-tables.ts';
import { Connection } from './connection.ts';
import { CallReads } from './read/call-reads.ts';
import { ClickhouseOverviews } from './read/clickhouse-overviews.ts';
import { ClickhouseThreads } from './read/clickhouse-threads.ts';
import { migrate } from './schema/migrate.ts';
import { clickhouseCosts, clickhouseViews } from './small-records.ts';
import { ClickhouseRetention } from './upkeep/clickhouse-retention.ts';
import { Reconciler } from './upkeep/reconciler.ts';
import { CallWriter } from './write/call-writer.ts';

export interface ClickhouseOptions {
  /** Address with user, password and database: `http://user:pass@host:8123/db`. The database must exist. */
  readonly url: string;
  /** Milliseconds between the beginnings of two groups of writes. @default 200 */
  readonly groupMs?: number | undefined;
  /** Memory that one read may take in the server, in bytes; 0 leaves it to the settings of the server. @default 4 GiB */
  readonly maxMemoryBytes?: number | undefined;
}

const GROUP_MS = 200;
const MAX_MEMORY_BYTES = 4 * 1024 ** 3;

/** Opens a storage in a database of ClickHouse, 25.8 or newer. Rejects with `invalid_configuration` or `unavailable`. */
export async function openClickhouseStorage(options: ClickhouseOptions): Promise<Storage> {
  const connection = new Connection(await openClient(options.url), options.maxMemoryBytes ?? MAX_MEMORY_BYTES);
  try {
    await migrate(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return storageOn(connection, options.groupMs ?? GROUP_MS);
}

function storageOn(connection: Connection, groupMs: number): Storage {
  let closing: Promise<void> | undefined;
  const writer = new CallWriter(connection, groupMs);
  const reconciler = new Reconciler(connection, writer);
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
    retention: new ClickhouseRetention(connection, writer),
    writeQueue: () => writer.queue,
    checkHealth: async () => {
      if (closing !== undefined) throw new TracingError('unavailable', 'Cannot use the storage: it is closed');
      await connection.all(raw('SELECT 1'), { deadlineMs: HEALTH_MS });
      reconciler.check();
    },
    close: () => (closing ??= closeAll(reconciler, writer, connection)),
  };
}

/** What others need is closed last. */
async function closeAll(...parts: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of parts) await part.close();
}

/** Who asks for the health of the service waits so long for the engine. */
const HEALTH_MS = 5000;

/** The driver is an optional package, loaded where the engine is chosen. */
async function openClient(url: string): Promise<ClickHouseClient> {
  const { ClickHouseLogLevel, createClient } = await loadDriver();
  return createClient({
    url,
    application: 'spoor',
    use_multipart_params_auto: true,
    request_timeout: 60_000,
    max_open_connections: 20,
    compression: { request: true, response: true },
    // What fails is told by the error; what the driver would write has statements in it.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

async function loadDriver(): Promise<typeof Driver> {
  try {
    return await import('@clickhouse/client');
  } catch (error) {
    throw new TracingError(
      'invalid_configuration',
      'Cannot use ClickHouse: the package "@clickhouse/client" is not installed; run `npm install @clickhouse/client`',
      { cause: error },
    );
  }
}
