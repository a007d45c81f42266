import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DefaultPrice } from '../protocol/cost.ts';
import { PACKAGE_VERSION } from '../protocol/version.ts';
import type { SpoorServer } from '../server/create-server.ts';
import { readServerFile, removeServerFile, writeServerFile } from '../spool/server-file.ts';
import { dataFolder } from './data-folder.ts';
import type { ServeOptions } from './serve-options.ts';
import { serviceFetch } from './network/service-fetch.ts';

/** A service of this machine answers at once; a stranger may never. */
const ANSWER_TIMEOUT_MS = 2000;

/** Address of the service that the state folder names, if it answers: its process number may be another's by now. */
export async function findRunning(home: string): Promise<string | undefined> {
  const file = readServerFile(home);
  if (!file || file.pid === process.pid) return undefined;
  try {
    const headers = { authorization: `Bearer ${file.apiKey}` };
    const response = await serviceFetch(`${file.url}/version`, {
      headers,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    // A connection whose answer nobody reads would keep this process alive.
    await response.text();
    return response.ok ? file.url : undefined;
  } catch {
    // Nothing of ours listens there.
    return undefined;
  }
}

/**
 * Starts a service in this process, and writes where programs of this state folder find it. `onFound` is called in the same
 * moment, while the start may still take a while.
 */
export async function startService(
  options: ServeOptions,
  home: string,
  onFound: (server: SpoorServer) => void = () => undefined,
): Promise<SpoorServer> {
  const { createServer } = await import('../server/create-server.ts');
  const { data: _data, prices = [], ...rest } = options;
  const list = typeof prices === 'string' && prices !== 'none' ? readPriceFile(prices) : prices;
  const onListening = (server: SpoorServer) => {
    announceService(server, home);
    onFound(server);
  };
  try {
    return await createServer({ ...rest, home, dataDir: dataFolder(options), prices: list, onListening });
  } catch (error) {
    // What has failed after that must not be looked for.
    removeServerFile(home);
    throw error;
  }
}

function readPriceFile(path: string): readonly DefaultPrice[] {
  try {
    // The service refuses what is no list of prices, and says what is wrong with it.
    return JSON.parse(readFileSync(path, 'utf8')) as readonly DefaultPrice[];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot read the price list "${path}": ${reason}`, { cause: error });
  }
}

function announceService(server: SpoorServer, home: string): void {
  const { apiKey, databaseFile, databaseUrl: database } = server;
  const data = databaseFile === undefined ? {} : { data: dirname(databaseFile) };
  const place = { ...data, ...(database !== undefined && { database }) };
  const url = reachableUrl(server);
  writeServerFile(home, { url, apiKey, pid: process.pid, version: PACKAGE_VERSION, ...place });
}

/** An address of this machine for a service that listens on all of them. */
export function reachableUrl({ url, host, port }: SpoorServer): string {
  // Whatever stands behind the origin is the base path.
  const basePath = new URL(url).pathname.replace(/\/$/, '');
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}${basePath}`;
  return host === '::' ? `http://[::1]:${port}${basePath}` : url;
}
