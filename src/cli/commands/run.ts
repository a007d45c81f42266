import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { removeServerFile } from '../../spool/server-file.ts';
import { homeFolder } from '../data-folder.ts';
import { findRunning, reachableUrl, startService } from '../local-service.ts';
import { toLine } from '../output/plain-text.ts';
import { remark } from '../output/say.ts';
import { Run, type RunService } from '../run-summary.ts';
import { readServeOptions } from '../serve-configuration.ts';
import { addServeOptions } from '../serve-options.ts';

type CommandLine = readonly [string, ...string[]];

/** Where the records of the program go, as long as it runs. */
interface Destination extends RunService {
  close(): Promise<void>;
}

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly hasStarted: boolean;
}

/**
 * Runs a program that is recorded, and ends as it ends: with its exit code, or by the signal that ended it. What we
 * have to say goes to standard error, as standard output is the program's.
 */
export async function runRecorded(command: CommandLine): Promise<void> {
  const destination = await openDestination();
  const run = new Run();
  const ending = await runToEnd(command, run);
  const summary = await run.summary(ending.hasStarted ? destination : undefined, ending.code);
  await destination?.close();
  if (summary !== undefined) tell(summary);
  endLike(ending);
}

/** The service that is named, the one that runs, or one of our own. Without any the program runs all the same. */
async function openDestination(): Promise<Destination | undefined> {
  try {
    const url = process.env['SPOOR_URL'] ?? (await findRunning(homeFolder()));
    const destination = url === undefined ? await startOwn() : { url, isOurs: false, close: async () => {} };
    tell(`recording to ${destination.url}`);
    return destination;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    tell(`no service: ${reason}; what is recorded waits on disk`);
    return undefined;
  }
}

async function startOwn(): Promise<Destination> {
  const home = homeFolder();
  const server = await startAnywhere(home);
  return {
    url: reachableUrl(server),
    isOurs: true,
    close: async () => {
      removeServerFile(home);
      await server.close();
    },
  };
}

/**
 * With the options of `spoor serve` that stand in the environment or the configuration file. Of what is kept nothing is
 * said: all services on the data would go by what one run of a program has in its environment.
 */
async function startAnywhere(home: string): ReturnType<typeof startService> {
  const command = addServeOptions(new Command()).parse([], { from: 'user' });
  const {
    retainDays: _days,
    retainBytes: _bytes,
    retainProjects: _projects,
    ...given
  } = await readServeOptions(command);
  const options = { ...given, logLevel: 'error' } as const;
  try {
    return await startService(options, home);
  } catch (error) {
    // Nobody has asked for the port that is usual.
    if (command.getOptionValueSource('port') !== 'default' || !isPortTaken(error)) throw error;
    return startService({ ...options, port: 0 }, home);
  }
}

function isPortTaken(error: unknown): boolean {
  const { cause } = error as { readonly cause?: unknown };
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}

async function runToEnd([file, ...args]: CommandLine, { environment }: Run): Promise<Ending> {
  const env = { ...process.env, ...environment, NODE_OPTIONS: nodeOptions() };
  const child = spawn(file, args, { stdio: 'inherit', env });
  const stopForwarding = forwardSignals(child);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return { code, signal, hasStarted: true };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = error instanceof Error ? error.message : String(error);
    tell(`cannot run "${file}": ${isMissing ? 'there is no such program' : reason}`);
    // As shells do it.
    return { code: isMissing ? 127 : 126, signal: null, hasStarted: false };
  } finally {
    stopForwarding();
  }
}

/** Before what others have put there: libraries that they load are captured, too. */
function nodeOptions(): string {
  const register = pathToFileURL(createRequire(import.meta.url).resolve('spoor/register')).href;
  return [`--import ${register}`, process.env['NODE_OPTIONS'] ?? ''].join(' ').trim();
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;

/** The program decides what a signal does; we live until it has ended. */
function forwardSignals(child: ChildProcess): () => void {
  const forward = (signal: NodeJS.Signals): void => {
    // A terminal has sent this to the program itself.
    const isFromTerminal = isInTerminal() && (signal === 'SIGINT' || signal === 'SIGQUIT');
    if (!isFromTerminal) child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  return () => {
    for (const signal of SIGNALS) process.removeListener(signal, forward);
  };
}

/** Of a pipeline only some ends are at the terminal. */
function isInTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
}

function endLike({ code, signal }: Ending): void {
  process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  // This one would not end us, but open a debugger.
  if (signal !== null && signal !== 'SIGUSR1') process.kill(process.pid, signal);
}

function tell(text: string): void {
  remark(`spoor: ${toLine(text)}`);
}
