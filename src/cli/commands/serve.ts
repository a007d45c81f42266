import type { SpoorServer } from '../../server/create-server.ts';
import { linkWith, pageLink } from '../page-link.ts';
import {
  readServerFile,
  removeServerFile,
  type ServerFile,
  serverFilePath,
  serverFileRefusal,
} from '../../spool/server-file.ts';
import { dataFolder, homeFolder } from '../data-folder.ts';
import { reportFailure } from '../failure.ts';
import { findRunning, reachableUrl, startService } from '../local-service.ts';
import { openHostWarning } from '../open-host.ts';
import { remark, say } from '../output/say.ts';
import type { ServeOptions } from '../serve-options.ts';

/**
 * Runs the service until a signal ends it. Where one runs for the state folder already, it says so, also that it takes no
 * notice of `flags`, and returns.
 */
export async function serve(options: ServeOptions, flags: readonly string[] = []): Promise<void> {
  const exposed = hidePassword(flags, options.storageUrl);
  if (exposed !== undefined) remark(`spoor: ${exposed}`);
  const home = homeFolder();
  const running = await findRunning(home);
  if (running !== undefined) {
    say(`spoor is running at ${running} · key file ${serverFilePath(home)}`);
    const file = readServerFile(home);
    if (flags.length > 0) remark(`spoor: ${ignored(flags, file?.pid)}`);
    else if (options.storage === 'clickhouse' && file?.data !== undefined) remark(`spoor: ${keptElsewhere(file)}`);
    if (file !== undefined) await printLinkOf(running, file.apiKey);
    return;
  }
  const closing = new AbortController();
  const server = await startService(options, home, (started) => closeOnSignal(started, home, closing));
  // By a signal that came before all was done.
  if (closing.signal.aborted) return;
  const url = reachableUrl(server);
  const warning = options.trustProxy === undefined ? openHostWarning(server.host) : undefined;
  if (warning !== undefined) remark(`spoor: ${warning}`);
  const refusal = serverFileRefusal(home);
  if (refusal !== undefined) {
    remark(`spoor: programs will not believe ${refusal}; they need SPOOR_URL and SPOOR_API_KEY`);
  }
  say(`spoor is ready at ${url} · data ${placeOf(server, options)} · key file ${serverFilePath(home)}`);
  printLink(linkWith(server.createPageToken(), url));
}

/**
 * Takes the arguments of this process out of the lists that other users can see, where a password stands in them, and says
 * what is better; undefined where there is nothing to hide.
 */
function hidePassword(flags: readonly string[], storageUrl: string | undefined): string | undefined {
  if (!flags.includes('--storage-url') || storageUrl === undefined || !/^[^/]*\/\/[^/]*@/.test(storageUrl))
    return undefined;
  process.title = 'spoor serve';
  return 'other users may have seen the password of --storage-url: set SPOOR_STORAGE_URL instead';
}

function placeOf({ databaseUrl }: SpoorServer, options: ServeOptions): string {
  if (databaseUrl !== undefined) return `in ClickHouse at ${databaseUrl}`;
  return options.storage === 'memory' ? 'in memory' : dataFolder(options);
}

function ignored(flags: readonly string[], pid: number | undefined): string {
  const verb = flags.length === 1 ? 'was' : 'were';
  return `${flags.join(', ')} ${verb} ignored: the service that runs keeps its own. ${wayOut(pid)}`;
}

/** Whoever moves to ClickHouse says so with variables. */
function keptElsewhere({ data, pid }: Pick<ServerFile, 'data' | 'pid'>): string {
  return `the service that runs has its data in ${data}, not in ClickHouse. ${wayOut(pid)}`;
}

function wayOut(pid: number | undefined): string {
  const process = pid === undefined ? '' : ` (process ${pid})`;
  return `Stop it first${process}, or name another state folder with SPOOR_HOME`;
}

/** A service of another version may have no page, and runs all the same. */
async function printLinkOf(url: string, apiKey: string): Promise<void> {
  try {
    printLink(await pageLink(url, apiKey));
  } catch (error) {
    remark(`spoor: there is no link to the page: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function printLink(link: string): void {
  say(`see what was recorded: ${link}`);
}

/** The first signal lets requests finish, the second ends the process at once. `closing` is told of the first one. */
function closeOnSignal(server: SpoorServer, home: string, closing: AbortController): void {
  const close = (): void => {
    closing.abort();
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
