import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { DefaultPrice } from '../protocol/cost.ts';
import { makeDataFolder } from './keys/data-folder.ts';
import { TracingError } from '../protocol/error.ts';
import { isLoopback } from '../protocol/loopback.ts';
import { DEFAULT_LIMITS, type Limits } from '../protocol/limits.ts';
import { stateFolder } from '../spool/state-folder.ts';
import type { OpenedStorage } from '../storage/open.ts';
import { callerOf } from './keys/authenticate.ts';
import { BodyBudget } from './http/body/body-budget.ts';
import { Connections } from './http/connections.ts';
import { closeData } from './data-files.ts';
import { databasePath } from './database-path.ts';
import { CostCounts } from './metrics/cost-counts.ts';
import { openDefaultPrices } from './prices/default-prices.ts';
import { readBasePath } from './spelling/address.ts';
import { KeyRing, type Keys } from './keys/key-ring.ts';
import { hashKey, isLocalKey, localKeyRecord, openLocalKey, randomKey } from './keys/keys.ts';
import { SharedKeyRing } from './keys/shared-key-ring.ts';
import { LargeBodies } from './ingest/large/large-bodies.ts';
import { listen } from './http/listen.ts';
import { loggedStack } from './http/logged-error.ts';
import { ClientLedger } from './page/client-ledger.ts';
import { RunNotes } from './ingest/run-notes.ts';
import { CallChanges } from './page/call-changes.ts';
import { openEditor } from './page/editor/editor.ts';
import { PageFiles } from './page/page-files.ts';
import { Sessions } from './page/sessions.ts';
import type { Storage } from '../storage/contract/storage.ts';
import { promisedStorage } from './promised-storage.ts';
import { RateLimiter } from './keys/rate-limiter.ts';
import { Refusals } from './keys/refusals.ts';
import { type LogLevel, openLogger } from './http/request-log.ts';
import type { RetentionRule } from '../storage/contract/retention.ts';
import { openRetention, type Retention } from './retention.ts';
import type { ServerOptions, SpoorServer } from './server-options.ts';
import type { Services } from './services.ts';
import type { SpoolWatch } from './spool-watch.ts';
import { StreamSlots } from './http/stream-slots.ts';
import { Traffic } from './metrics/traffic.ts';

export * from '../storage/engine-parts.ts';
export type * from '../storage/engine-types.ts';

export type { DefaultPrice, Limits, LogLevel, RetentionRule, ServerOptions, SpoorServer };

const DEFAULT_PORT = 7717;
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_GRACE_SECONDS = 10;

/**
 * Starts a service inside this process.
 *
 * @example
 * const server = await createServer({ storage: 'memory', port: 0 });
 * console.log(server.url, server.apiKey);
 * await server.close();
 */
export async function createServer(options: ServerOptions = {}): Promise<SpoorServer> {
  const { host = DEFAULT_HOST, port = DEFAULT_PORT } = options;
  const { graceMs } = checkTimes(options);
  const dataDir = dataFolder(options);
  // First of all: whoever is kept out of the database must not touch the keys beside it. Its thread starts while the
  // rest is loaded here, which takes as long.
  const opening = openStorageOf(options, dataDir);
  const loading = Promise.all([options.logger ?? openLogger(options.logLevel ?? 'warn'), import('./app.ts')]);
  // It is waited for when there is a storage to close.
  loading.catch(() => undefined);
  const opened = await opening;
  const stopping = new AbortController();
  let closing: Promise<void> | undefined;
  try {
    const [logger, { createApp }] = await loading;
    if (typeof options.storage !== 'object') warnOfRecovery(opened, dataDir, logger);
    const storage = promisedStorage(opened, options, logger);
    const { keys, apiKey } = await openKeys(options, { storage, dataDir, logger, stopping: stopping.signal });
    if (dataDir !== undefined) closeData(dataDir, logger);
    const services = toServices({ storage, keys, logger, stopping: stopping.signal }, options);
    const retention = openRetention(options, storage, {
      ...services,
      whileRemoving: async (removal) => await services.runNotes.whileRemoving(removal),
    });
    const listening = await listen(await openApp(createApp, services), host, port, {
      connections: services.connections,
      begin: () => stopping.abort(),
      graceMs,
      breakOff: () => services.streams.abort(new TracingError('unavailable', 'The service is shutting down')),
    });
    const url = listening.url + services.basePath;
    const watch = await watchSpool(services, url, options);
    const close = async () => {
      await listening.stop();
      services.refusals.close();
      await Promise.all([watch?.close(), retention?.close(), services.bodies.close()]);
      await storage.close();
    };
    const createPageToken = () => services.sessions.createToken({ hash: hashKey(apiKey) }).token;
    const { port: boundPort } = listening;
    const databaseFile = databaseFileOf(options, dataDir);
    const { databaseUrl } = opened;
    const server: SpoorServer = {
      url,
      host,
      port: boundPort,
      apiKey,
      dataDir,
      databaseFile,
      databaseUrl,
      createPageToken,
      close: () => (closing ??= close()),
    };
    await announce(server, retention, options);
    return server;
  } catch (error) {
    stopping.abort();
    // Why the start failed is what helps, also where closing fails, too.
    await (closing ?? opened.close()).catch(() => undefined);
    throw error;
  }
}

/**
 * A start that fails must not change what other services on the storage keep, so to tell them is the last thing that can
 * fail. One that is closed meanwhile tells them nothing.
 */
async function announce(
  server: SpoorServer,
  retention: Retention | undefined,
  { onListening }: ServerOptions,
): Promise<void> {
  try {
    await onListening?.(server);
    await retention?.tell();
  } catch (error) {
    await server.close().catch(() => undefined);
    throw error;
  }
  void retention?.start();
}

function toServices(
  opened: Pick<Services, 'storage' | 'keys' | 'logger' | 'stopping'>,
  options: ServerOptions,
): Services {
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const trustProxy = proxiesOf(options);
  const defaultPrices = openDefaultPrices(options.prices ?? [], opened.logger);
  const costCounts = new CostCounts(opened.storage, defaultPrices, (error) =>
    opened.logger.warn({ stack: loggedStack(error) }, 'costs not counted'),
  );
  const changes = new CallChanges();
  return {
    ...opened,
    storage: changes.watch(costCounts.watch(opened.storage)),
    limits,
    bodies: new LargeBodies(opened.storage, {
      onEnded: (ended) => costCounts.note(ended),
      onChanged: (changed) => changes.note(changed),
      onSaid: (changed) => changes.note(changed, 'feedback'),
    }),
    changes,
    clients: new ClientLedger(),
    runNotes: new RunNotes(opened.storage.runs),
    bodyBudget: new BodyBudget(),
    streams: new StreamSlots(limits.streams_per_key),
    traffic: new Traffic(),
    connections: new Connections(),
    removed: { traces: 0, calls: 0 },
    spoolDamage: { segments: 0, records: 0 },
    defaultPrices,
    costCounts,
    rates: openRates(options),
    refusals: new Refusals(opened.logger),
    sessions: new Sessions(opened.keys),
    pageFiles: new PageFiles(options.pageFolder),
    editor: openEditor(options),
    openMetrics: options.openMetrics ?? false,
    openHealth: options.openHealth ?? false,
    basePath: readBasePath(options.basePath ?? ''),
    otlpKeyHeader: options.otlpKeyHeader ?? false,
    // Behind a proxy a service is named by names of the proxy.
    isLoopbackOnly: isLoopback(options.host ?? DEFAULT_HOST) && trustProxy === false,
    corsOrigins: options.corsOrigins ?? [],
    trustProxy,
  };
}

/** 24 days. Node takes what is longer than 2^31 ms for no time at all. */
const MAX_WAIT_MS = 2_073_600_000;

/** The times that timers wait for. */
function checkTimes({ graceSeconds = DEFAULT_GRACE_SECONDS, limits }: ServerOptions): { readonly graceMs: number } {
  const { read_ms, sums_ms, stream_ms } = { ...DEFAULT_LIMITS, ...limits };
  for (const [name, ms] of Object.entries({ graceSeconds: graceSeconds * 1000, read_ms, sums_ms, stream_ms })) {
    if (ms >= 0 && ms <= MAX_WAIT_MS) continue;
    throw new TracingError('invalid_configuration', `Cannot wait ${ms} ms (${name}): want 0 to ${MAX_WAIT_MS}`);
  }
  return { graceMs: graceSeconds * 1000 };
}

function openRates({ rateLimit, rateBurst }: ServerOptions): RateLimiter | undefined {
  if (rateLimit === undefined && rateBurst !== undefined) {
    throw new TracingError(
      'invalid_configuration',
      `Cannot hold keys to ${rateBurst} requests at once: there is no rate, set rateLimit too`,
    );
  }
  if (rateLimit === undefined) return undefined;
  const burst = rateBurst ?? Math.ceil(rateLimit);
  if (rateLimit > 0 && Number.isFinite(rateLimit) && burst >= 1)
    return new RateLimiter({ perSecond: rateLimit, burst });
  throw new TracingError(
    'invalid_configuration',
    `Cannot hold keys to ${rateLimit} requests per second and ${burst} at once: want above 0, and at least 1`,
  );
}

function proxiesOf({ trustProxy = [] }: ServerOptions): readonly string[] | boolean {
  return trustProxy.includes('all') || (trustProxy.length > 0 && trustProxy);
}

/** A wrong name of a proxy is found by the framework. */
async function openApp(
  createApp: (services: Services) => Promise<FastifyInstance>,
  services: Services,
): Promise<FastifyInstance> {
  try {
    return await createApp(services);
  } catch (error) {
    if (!(error instanceof TypeError) || services.trustProxy === false) throw error;
    throw new TracingError('invalid_configuration', `Cannot trust the proxy: ${error.message}`, { cause: error });
  }
}

/** A long spool must not keep the service from being ready; a short one is in before the first request. */
const SPOOL_WAIT_MS = 300;

/** Programs of this machine leave records for the service of their state folder. */
async function watchSpool(services: Services, url: string, options: ServerOptions): Promise<SpoolWatch | undefined> {
  const home = spoolHome(options);
  if (home === undefined) return undefined;
  const { SpoolWatch } = await import('./spool-watch.ts');
  const { storage, limits, logger, runNotes, spoolDamage: damage } = services;
  const context = { caller: callerOf(localKeyRecord('')), limits, depth: Number.POSITIVE_INFINITY };
  const watch = new SpoolWatch({ home, url, storage, logger, context, damage, runNotes });
  await Promise.race([watch.start(), setTimeout(SPOOL_WAIT_MS, undefined, { ref: false })]);
  return watch;
}

/** A service that was told where its data goes, and nothing of a state folder, leaves the spool alone. */
function spoolHome({ home, dataDir, storage = 'sqlite' }: ServerOptions): string | undefined {
  return home ?? (dataDir === undefined && storage === 'sqlite' ? stateFolder() : undefined);
}

function dataFolder({ dataDir, home, storage = 'sqlite' }: ServerOptions): string | undefined {
  if (dataDir !== undefined) return dataDir;
  // Other engines keep their data elsewhere, and the keys, or that of this machine, are kept here all the same.
  if (storage !== 'memory' && storage !== 'sqlite' && home !== undefined) return join(home, 'data');
  if (storage !== 'sqlite') return undefined;
  const folder = home ?? stateFolder();
  if (folder !== undefined) return join(folder, 'data');
  throw new TracingError('invalid_configuration', 'Cannot find a data folder: there is no home folder, set SPOOR_HOME');
}

function databaseFileOf({ storage = 'sqlite' }: ServerOptions, dataDir: string | undefined): string | undefined {
  return storage === 'sqlite' && dataDir !== undefined ? databasePath(dataDir) : undefined;
}

interface KeyPlace {
  readonly storage: Storage;
  readonly dataDir: string | undefined;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

async function openKeys(
  options: ServerOptions,
  { storage, dataDir, logger, stopping }: KeyPlace,
): Promise<{ keys: Keys; apiKey: string }> {
  const onError = (error: unknown) => logger.error({ stack: loggedStack(error) }, 'keys not reloaded');
  // A variable that is set to nothing must not make nothing a key.
  const given = (options.apiKey ?? process.env['SPOOR_API_KEY']) || undefined;
  const store = storage.keys;
  const isKept = given === undefined && dataDir !== undefined;
  const apiKey = isKept ? openLocalKey(dataDir) : (given ?? randomKey());
  const fixed = isKept ? [] : [localKeyRecord(apiKey)];
  // Others of the folder are those of a service that had its data there; where one is given, its own key counts no more.
  const own = new KeyRing(fixed, store && !isKept ? undefined : dataDir, {
    onError,
    ...(store && { isTaken: isLocalKey }),
  });
  return { apiKey, keys: store ? await SharedKeyRing.open({ own, store, stopping, onError }) : own };
}

async function openStorageOf(
  { storage = 'sqlite', storageUrl, storageCluster, durable = 'process' }: ServerOptions,
  dataDir: string | undefined,
): Promise<OpenedStorage> {
  if (typeof storage === 'object') return storage;
  const { openStorage } = await import('../storage/open.ts');
  if (storage === 'clickhouse')
    return await openStorage({ engine: 'clickhouse', url: storageUrl, cluster: storageCluster });
  if (storage === 'memory' || dataDir === undefined) return await openStorage({ engine: 'memory' });
  makeDataFolder(dataDir);
  const path = databasePath(dataDir);
  return await openStorage({ engine: 'sqlite', path, durable: durable === 'power' ? 'power' : 'crash' });
}

function warnOfRecovery({ recovery }: OpenedStorage, dataDir: string | undefined, logger: Logger): void {
  if (recovery === undefined || recovery.wasClean || dataDir === undefined) return;
  logger.warn({ path: databasePath(dataDir), check: recovery.check }, 'storage was not closed');
}
