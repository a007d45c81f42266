import { type ChildProcess, fork } from 'node:child_process';
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
  const input = {
    adapter: fileOf(`${FLOORS.includes(adapter) ? 'floors' : 'adapters'}/${adapter}.js`),
    workload: fileOf(`workloads/${workload}.js`),
    calls,
    limitMs,
    service: { ...target, home },
  };
  try {
    const child = fork(fileOf(`programs/${program}.js`), [JSON.stringify(input)], {
      // Libraries that look for settings in the home folder find none.
      env: { ...environmentOf(home), HOME: home },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    return await resultOf(child, adapter);
  } finally {
    remove();
  }
}

function resultOf(child: ChildProcess, adapter: string): Promise<Measured> {
  return new Promise((resolve) => {
    let stderr = '';
    let result: Measured | undefined;
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-2000);
    });
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.on('message', (message: Measured) => {
      result = message;
    });
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      resolve(result ?? { skipped: reasonOf(adapter, stderr, signal ?? code) });
    });
  });
}

function reasonOf(adapter: string, stderr: string, end: number | string | null): string {
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
