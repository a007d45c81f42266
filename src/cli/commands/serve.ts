import { readFileSync } from 'node:fs';
import type { DefaultPrice } from '../../protocol/cost.ts';
import { PACKAGE_VERSION } from '../../protocol/version.ts';
import type { SpoorServer } from '../../server/create-server.ts';
import { readServerFile, removeServerFile, serverFilePath, writeServerFile } from '../../spool/server-file.ts';
import { dataFolder, homeFolder } from '../data-folder.ts';
import { reportFailure } from '../failure.ts';
import { openHostWarning } from '../open-host.ts';
import type { ServeOptions } from '../serve-options.ts';

/** A service of this machine answers at once; a stranger may never. */
const ANSWER_TIMEOUT_MS = 2000;

/** Runs the service until a signal ends it. Where one runs for the state folder already, it says so and returns. */
export async function serve(options: ServeOptions): Promise<void> {
  const home = homeFolder();
  const running = await findRunning(home);
  if (running !== undefined) {
    process.stdout.write(`spoor is running at ${running} · key file ${serverFilePath(home)}\n`);
    return;
  }
  const server = await start(options, home);
  closeOnSignal(server, home);
  const url = reachableUrl(server);
  writeServerFile(home, { url, apiKey: server.apiKey, pid: process.pid, version: PACKAGE_VERSION });
  const warning = options.trustProxy === undefined ? openHostWarning(server.host) : undefined;
  if (warning !== undefined) process.stderr.write(`spoor: ${warning}\n`);
  const data = options.storage === 'memory' ? 'in memory' : dataFolder(options);
  process.stdout.write(`spoor is ready at ${url} · data ${data} · key file ${serverFilePath(home)}\n`);
}

/** Address of the service that the state folder names, if it answers: its process number may be another's by now. */
async function findRunning(home: string): Promise<string | undefined> {
  const file = readServerFile(home);
  if (!file || file.pid === process.pid) return undefined;
  try {
    const headers = { authorization: `Bearer ${file.apiKey}` };
    const response = await fetch(`${file.url}/version`, { headers, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    return response.ok ? file.url : undefined;
  } catch {
    // Nothing of ours listens there.
    return undefined;
  }
}

async function start(options: ServeOptions, home: string): Promise<SpoorServer> {
  const { createServer } = await import('../../server/create-server.ts');
  const { data: _data, prices = [], ...rest } = options;
  const list = typeof prices === 'string' ? readPriceFile(prices) : prices;
  return createServer({ ...rest, home, dataDir: dataFolder(options), prices: list });
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

/** An address of this machine for a service that listens on all of them. */
function reachableUrl({ url, host, port }: SpoorServer): string {
  // Whatever stands behind the origin is the base path.
  const basePath = new URL(url).pathname.replace(/\/$/, '');
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}${basePath}`;
  return host === '::' ? `http://[::1]:${port}${basePath}` : url;
}

/** The first signal lets requests finish, the second ends the process at once. */
function closeOnSignal(server: SpoorServer, home: string): void {
  const close = (): void => {
    // Without a handler the next signal has its default effect.
    for (const signal of SIGNALS) process.removeListener(signal, close);
    removeServerFile(home);
    server.close().catch((error: unknown) => {
      process.exitCode = reportFailure(error, { isVerbose: false });
    });
  };
  for (const signal of SIGNALS) process.on(signal, close);
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
