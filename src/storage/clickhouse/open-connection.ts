import type { ClickHouseClient } from '@clickhouse/client';
import type * as Driver from '@clickhouse/client';
import { TracingError } from '../../protocol/error.ts';
import { type Address, readAddress } from './address.ts';
import { checkSettings } from './check-settings.ts';
import { Connection, settingsOfReads, settingsOfStatements } from './connection.ts';
import { failureOfOpening } from './failure-of-opening.ts';
import { checkSchema, migrate } from './schema/migrate.ts';

export interface ConnectionOptions {
  readonly url: string | undefined;
  /** Bounds each read in the server, in bytes; 0 leaves it to the settings of the server. @default 4 GiB */
  readonly maxMemoryBytes?: number | undefined;
  /** The cluster on whose servers tables are made. @default none */
  readonly cluster?: string | undefined;
  /** Leaves a database as it is, and refuses one of another schema. @default false */
  readonly keepsSchema?: boolean;
  /** Nothing is written: what a profile says of that does not matter. @default false */
  readonly isReader?: boolean;
}

export interface OpenConnection {
  readonly connection: Connection;
  /** The part of the address that may be shown. */
  readonly shown: string;
}

const MAX_MEMORY_BYTES = 4 * 1024 ** 3;

/** For what is asked and answered at once. */
const CONNECTIONS = 20;
/** For exports and other lists without a small limit, which are as slow as who reads them: only each other wait for those. */
const STREAMS = 64;

/** For what changes tables, a statement at a time mostly. */
const CHANGES = 4;

/** A server that says nothing is waited for so long. */
const SILENT_MS = 60_000;
/** The same while it changes the parts of a table, of which it tells nothing until it is done, and goes on when its client has left. */
const SILENT_CHANGE_MS = 600_000;

/** The oldest server whose answers are known to be right. */
const OLDEST = { major: 25, minor: 8 };

/** Who starts a service waits so long for a server that says nothing. */
const ANSWER_MS = 10_000;

/** Connects with a database and brings it to our schema, unless that is to stay. Rejects with `invalid_configuration` or `unavailable`. */
export async function openConnection(options: ConnectionOptions): Promise<OpenConnection> {
  const { maxMemoryBytes = MAX_MEMORY_BYTES, keepsSchema = false, isReader = false } = options;
  const address = readAddress(options.url);
  const client = await openClient(address, { connections: CONNECTIONS });
  const streams = await openClient(address, { connections: STREAMS });
  const patient = await openClient(address, { connections: CHANGES, silentMs: SILENT_CHANGE_MS });
  try {
    checkVersion(await versionOf(client), address);
    const settingsOf = isReader ? settingsOfReads : settingsOfStatements;
    await checkSettings(client, settingsOf(maxMemoryBytes), address);
    const connection = new Connection(client, { maxMemoryBytes, streams, patient });
    await (keepsSchema ? checkSchema(connection) : migrate(connection, { cluster: options.cluster || undefined }));
    return { connection, shown: address.shown };
  } catch (error) {
    for (const one of [patient, streams, client]) await one.close();
    throw failureOfOpening(error, address);
  }
}

/** The driver is an optional package, loaded where the engine is chosen. */
async function openClient(
  { origin, user, password, database }: Address,
  { connections, silentMs = SILENT_MS }: { readonly connections: number; readonly silentMs?: number },
): Promise<ClickHouseClient> {
  const { ClickHouseLogLevel, createClient } = await loadDriver();
  return createClient({
    url: origin,
    username: user,
    password,
    database,
    application: 'spoor',
    request_timeout: silentMs,
    // A statement of hours tells of its progress as long.
    max_response_headers_size: 1024 * 1024,
    max_open_connections: connections,
    compression: compressionTo(origin),
    // What fails is told by the error; what the driver would write has statements in it.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/** On one machine it would take more time than it saves; what is sent over a network is as much as can be done in passing. */
function compressionTo(origin: string): NonNullable<Driver.ClickHouseClientConfigOptions['compression']> {
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(origin).hostname);
  return isHere ? { request: false, response: false } : { request: { codec: 'gzip', level: 1 }, response: true };
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

/** Without settings of ours, which an older server does not know. */
async function versionOf(client: ClickHouseClient): Promise<string> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await client.query({
    query: 'SELECT version() AS version',
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  const [row] = await answer.json<{ readonly version: string }>();
  return row?.version ?? '';
}

function checkVersion(version: string, { shown }: Address): void {
  const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  const isKnown = Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor);
  if (isKnown) return;
  throw new TracingError(
    'invalid_configuration',
    `Cannot use ClickHouse at ${shown}: its version is ${version || 'unknown'}; want ${OLDEST.major}.${OLDEST.minor} or newer`,
  );
}
