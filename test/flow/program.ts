import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createReader, type Reader } from 'spoor/reader';
import { onTestFinished } from 'vitest';
import { copyPackage } from './package-copy.ts';
import { environmentOf, ROOT, type ServiceProcess } from './service-process.ts';

/** Stands before each program: what a user has after `npm install spoor`. */
const importsOf = (entry: string): string => `import * as spoor from ${JSON.stringify(entry)};
const { traced, trace, flush, shutdown, stats, init } = spoor;
const step = traced(function step(n) { return n; }, { op: false });
`;

export const PROJECT = 'local/flow';

export interface RunningProgram {
  readonly child: ChildProcess;
  /** The next line the program prints. */
  line(): Promise<string>;
  /** How it ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

export interface ProgramOptions {
  /** Options of Node. */
  readonly flags?: readonly string[];
  /** A command that runs the program, such as `sh -c`; the program is at its end. */
  readonly through?: readonly string[];
  /** The user to run as. */
  readonly uid?: number;
}

/** Starts a program in its own process with nothing configured but the state folder and a project name. */
export function startProgram(
  home: string,
  source: string,
  env: NodeJS.ProcessEnv = {},
  { flags = [], through = [], uid }: ProgramOptions = {},
): RunningProgram {
  const path = join(home, 'program.mjs');
  const isOther = uid !== undefined;
  // Who is somebody else may not even look at the checkout.
  const entry = isOther ? copyPackage(home) : new URL('../../dist/index.js', import.meta.url).href;
  writeFileSync(path, importsOf(entry) + source);
  if (isOther) chmodSync(path, 0o644);
  const [command, ...args] = [...through, process.execPath, ...flags, path];
  const child = spawn(command, args, {
    cwd: isOther ? home : ROOT,
    env: { ...environmentOf(home), SPOOR_PROJECT: PROJECT, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(isOther ? { uid } : {}),
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stderr,
  }));
  return {
    child,
    ended,
    line: async () => {
      const { value } = (await lines.next()) as { value?: string };
      if (value === undefined) throw new Error(`The program printed no more lines: ${stderr}`);
      return value;
    },
  };
}

export function runProgram(...program: Parameters<typeof startProgram>): RunningProgram['ended'] {
  return startProgram(...program).ended;
}

export function readerOf({ url, apiKey }: Pick<ServiceProcess, 'url' | 'apiKey'>, project = PROJECT): Reader {
  return createReader({ url, apiKey, project });
}

/** Outputs of the calls of `step` that the service has, ended ones only, in numerical order. */
export async function stepsOf(service: Pick<ServiceProcess, 'url' | 'apiKey'>, project = PROJECT): Promise<number[]> {
  const outputs: number[] = [];
  for await (const call of readerOf(service, project).calls.query({ filter: { op_names: ['step'] } })) {
    if (call.ended_at !== null) outputs.push(Number(call.output));
  }
  return outputs.toSorted((a, b) => a - b);
}

export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
