import { type ChildProcess, fork, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { environmentOf, makeHome } from '../test/flow/service-process.ts';
import { COMPETITORS, FLOORS, type Section } from './plan.ts';

/** A library that takes longer for one round is given up. */
const LIMIT_MS = 120_000;

export interface Target {
  readonly url: string;
  readonly apiKey: string;
}

export type Measured =
  | { readonly calls: number; readonly figures: Readonly<Record<string, number>> }
  | { readonly skipped: string };

/** One round of one library on one workload, in a process and with a state folder of its own. */
export async function measure(
  { workload, program, calls, limitMs }: Omit<Section, 'adapters' | 'rounds'>,
  adapter: string,
  target: Target,
): Promise<Measured> {
  const { home, remove } = makeHome();
  try {
    return await resultOf(forkProgram(program, adapter, { workload, calls, limitMs, target, home }), adapter);
  } finally {
    remove();
  }
}

export interface ProgramInput {
  readonly target: Target;
  /** The state folder. Libraries that look for settings in the home folder find none, as it is that, too. */
  readonly home: string;
  readonly workload?: string;
  /** What else the program is told. */
  readonly [name: string]: unknown;
}

/** Starts a program that tells its result in a message. */
export function forkProgram(program: string, adapter: string, input: ProgramInput): ChildProcess {
  const env = environmentIn(input.home);
  const stdio: ['ignore', 'ignore', 'pipe', 'ipc'] = ['ignore', 'ignore', 'pipe', 'ipc'];
  return fork(fileOf(`programs/${program}.js`), [argumentOf(adapter, input)], { env, execArgv: [], stdio });
}

/** Starts a program that writes what it has to say, so that nothing but the library may keep it alive. */
export function spawnProgram(program: string, adapter: string, input: ProgramInput) {
  const args = [fileOf(`programs/${program}.js`), argumentOf(adapter, input)];
  return spawn(process.execPath, args, { env: environmentIn(input.home), stdio: ['ignore', 'pipe', 'pipe'] });
}

function environmentIn(home: string): NodeJS.ProcessEnv {
  return { ...environmentOf(home), HOME: home };
}

function argumentOf(adapter: string, { target, home, workload = 'small-async', ...input }: ProgramInput): string {
  return JSON.stringify({
    ...input,
    adapter: fileOf(`${FLOORS.includes(adapter) ? 'floors' : 'adapters'}/${adapter}.js`),
    workload: fileOf(`workloads/${workload}.js`),
    service: { url: target.url, apiKey: target.apiKey, home },
  });
}

/** What a program tells before it ends, or why it ended without. */
export function resultOf(child: ChildProcess, adapter: string): Promise<Measured> {
  return new Promise((resolve) => {
    const stderr = lastOf(child.stderr);
    let result: Measured | undefined;
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.on('message', (message: Measured | string) => {
      if (typeof message === 'object') result = message;
    });
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      resolve(result ?? { skipped: reasonOf(adapter, stderr(), signal ?? code) });
    });
  });
}

/** The end of what a stream says. */
export function lastOf(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-2000);
  });
  return () => text;
}

/** Why a program has no result. */
export function reasonOf(adapter: string, stderr: string, end: number | string | null): string {
  const isMissing = /Cannot find (package|module) '(?<name>[^']+)'/.exec(stderr)?.groups?.['name'];
  if (isMissing !== undefined && COMPETITORS.includes(adapter)) {
    return `"${isMissing}" is not installed: run npm ci --ignore-scripts in bench`;
  }
  const message = /^\w*Error.*$/m.exec(stderr)?.[0];
  return `The program ended with ${end} before it had a result${message === undefined ? '' : `: ${message}`}`;
}

function fileOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
