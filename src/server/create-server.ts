import { join } from 'node:path';
import type { Logger } from 'pino';
import { TracingError } from '../protocol/error.ts';
import { DEFAULT_LIMITS, type Limits } from '../protocol/limits.ts';
import { stateFolder } from '../spool/state-folder.ts';
import type { Storage } from '../storage/storage.ts';
import { createApp } from './app.ts';
import { isLoopback } from './check-host.ts';
import { KeyRing } from './key-ring.ts';
import { localKeyRecord, openLocalKey, randomKey } from './keys.ts';
import { listen } from './listen.ts';
import { type LogLevel, openLogger } from './request-log.ts';
import { StreamSlots } from './stream-slots.ts';

export interface ServerOptions {
  /**
   * Where calls are kept: in a SQLite file of the data folder, in this process, or in a storage that is open
   * already and that the server closes.
   * @default 'sqlite'
   */
  readonly storage?: 'sqlite' | 'memory' | Storage;
  /** State folder, shared with the programs of this machine. @default $SPOOR_HOME, else ~/.spoor */
  readonly home?: string;
  /** Folder of the database and the keys. @default `data` in the state folder; with `memory`: none */
  readonly dataDir?: string;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 takes any free port. @default 7717 */
  readonly port?: number;
  /** The key for everything, in place of the one that the first start makes. @default $SPOOR_API_KEY */
  readonly apiKey?: string;
  /** Limits other than those of the protocol. */
  readonly limits?: Partial<Limits>;
  /** What an answered write survives: the end of the process, or a power cut. @default 'process' */
  readonly durable?: 'process' | 'power';
  /** Lets `/health` be asked without a key. @default false */
  readonly openHealth?: boolean;
  /** Lines on standard error from this level on; requests that succeed are `info`. @default 'warn' */
  readonly logLevel?: LogLevel;
  /** Takes the lines instead of standard error. */
  readonly logger?: Logger;
}

/** A running service. */
export interface SpoorServer {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** A key for all projects, with the privilege to import. */
  readonly apiKey: string;
  /** Folder of the database and the keys, if there is one. */
  readonly dataDir: string | undefined;
  /** Finishes requests in flight and closes the storage. Calling it again does nothing more. */
  close(): Promise<void>;
}

export const DEFAULT_PORT = 7717;
export const DEFAULT_HOST = '127.0.0.1';

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
  const dataDir = dataFolder(options);
  const { ring, apiKey } = openKeys(options, dataDir);
  const storage = await openStorageOf(options, dataDir);
  try {
    const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
    const app = createApp({
      storage,
      keys: ring,
      limits,
      logger: options.logger ?? (await openLogger(options.logLevel ?? 'warn')),
      streams: new StreamSlots(limits.streams_per_key),
      openHealth: options.openHealth ?? false,
      isLoopbackOnly: isLoopback(host),
    });
    const { stop, ...address } = await listen(app, host, port);
    let closing: Promise<void> | undefined;
    const close = async () => {
      await stop();
      await storage.close();
    };
    return { ...address, apiKey, dataDir, close: () => (closing ??= close()) };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

function dataFolder({ dataDir, home, storage }: ServerOptions): string | undefined {
  if (dataDir !== undefined) return dataDir;
  if (storage === 'memory') return undefined;
  const folder = home ?? stateFolder();
  if (folder !== undefined) return join(folder, 'data');
  throw new TracingError('invalid_configuration', 'Cannot find a data folder: there is no home folder, set SPOOR_HOME');
}

function openKeys(options: ServerOptions, dataDir: string | undefined): { ring: KeyRing; apiKey: string } {
  const given = options.apiKey ?? process.env['SPOOR_API_KEY'];
  if (given !== undefined || dataDir === undefined) {
    const apiKey = given ?? randomKey();
    return { apiKey, ring: new KeyRing([localKeyRecord(apiKey)], dataDir) };
  }
  return { apiKey: openLocalKey(dataDir), ring: new KeyRing([], dataDir) };
}

async function openStorageOf(
  { storage = 'sqlite', durable = 'process' }: ServerOptions,
  dataDir: string | undefined,
): Promise<Storage> {
  if (typeof storage === 'object') return storage;
  if (storage === 'memory' || dataDir === undefined) {
    const { openMemoryStorage } = await import('../storage/memory/memory-storage.ts');
    return openMemoryStorage();
  }
  throw new TracingError(
    'invalid_configuration',
    `Cannot open "${dataDir}": this build has no SQLite engine (${durable})`,
  );
}
