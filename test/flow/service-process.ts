import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endWithFile } from './left-processes.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const CLI = join(ROOT, 'dist', 'cli', 'bin.cjs');

/**
 * The environment of a user who has configured nothing, with a state folder of the test's own. But for one thing: each program would
 * ask git about all files of the checkout, in the time that its end has.
 */
export function environmentOf(home: string): NodeJS.ProcessEnv {
  const configured = Object.keys(process.env).filter((name) => name.startsWith('SPOOR_'));
  const rest = Object.fromEntries(Object.entries(process.env).filter(([name]) => !configured.includes(name)));
  return { ...rest, SPOOR_HOME: home, SPOOR_RECORD_GIT: '0', NO_COLOR: '1', NODE_OPTIONS: '' };
}

export function makeHome(): { home: string; remove: () => void } {
  const home = mkdtempSync(join(tmpdir(), 'spoor-test-'));
  return { home, remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }) };
}

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Its state folder. */
  readonly home: string;
  readonly readyLine: string;
  readonly url: string;
  readonly apiKey: string;
  /** What it has said on standard error. */
  readonly stderr: string;
  /** Ends the process and waits for its end; returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ServiceProcessOptions {
  /** Kills the process, at any moment. */
  readonly killed?: AbortSignal;
  /** The command. @default the built one */
  readonly program?: string;
  /** Variables beside those of a user who has configured nothing. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts the built `spoor serve` as a process of its own and waits for its ready line, unless it is killed before. */
export async function startServiceProcess(
  home: string,
  args: readonly string[] = [],
  { killed, program = CLI, env = {} }: ServiceProcessOptions = {},
): Promise<ServiceProcess> {
  const child = endWithFile(
    spawn(process.execPath, [program, 'serve', '--port', '0', ...args], {
      env: { ...environmentOf(home), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const kill = () => void child.kill('SIGKILL');
  if (killed?.aborted) kill();
  else killed?.addEventListener('abort', kill);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ready = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const first = await Promise.race([ready, exited.then(() => undefined)]);
  if (first === undefined) throw new Error(`spoor serve ended before it was ready: ${stderr}`);
  const { url, apiKey } = JSON.parse(readFileSync(join(home, 'server.json'), 'utf8')) as {
    url: string;
    apiKey: string;
  };
  return {
    child,
    home,
    readyLine: first[0],
    url,
    apiKey,
    get stderr() {
      return stderr;
    },
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, whatever its exit code is. */
export function runNode(
  args: readonly string[],
  options: { home: string; env?: NodeJS.ProcessEnv; cwd?: string; program?: string | undefined },
): Promise<Finished> {
  return new Promise((resolve) => {
    const env = { ...environmentOf(options.home), ...options.env };
    const child = execFile(
      options.program ?? process.execPath,
      args,
      { cwd: options.cwd ?? ROOT, env, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr }),
    );
    endWithFile(child);
  });
}

export function runCli(home: string, ...args: string[]): Promise<Finished> {
  return runNode([CLI, ...args], { home });
}

/** Sends one request with the key of a service. */
export function post(service: Pick<ServiceProcess, 'url' | 'apiKey'>, path: string, body: unknown): Promise<Response> {
  return fetch(service.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
