import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLedger, sharedNow } from './ledger.ts';
import type { SentSignals } from './moment.ts';

/** Ways to end, with what the parent may see of it: exit code or signal. */
export const WAYS = {
  end: [0],
  exit: [7],
  throw: [1],
  reject: [1],
  SIGTERM: ['SIGTERM'],
  SIGINT: ['SIGINT'],
  SIGHUP: ['SIGHUP'],
  abort: ['SIGABRT'],
  SIGKILL: ['SIGKILL'],
  // As a container or the runner of a test does it that has no patience.
  'SIGTERM, SIGKILL': ['SIGTERM', 'SIGKILL'],
  'SIGINT, SIGKILL': ['SIGINT', 'SIGKILL'],
} as const satisfies Record<string, readonly (number | NodeJS.Signals)[]>;

export type Way = keyof typeof WAYS;

/** A process that has ended takes no further signal. Resolves with when they were sent, where there are several. */
export async function killWith(
  child: ChildProcess,
  [first, second]: readonly NodeJS.Signals[],
  pause: () => Promise<void>,
): Promise<SentSignals | undefined> {
  child.kill(first);
  const firstAt = sharedNow();
  const ranBefore = processorMs(child);
  if (second === undefined) return undefined;
  await pause();
  const lastAt = sharedNow();
  const ran = processorMs(child);
  child.kill(second);
  return { firstAt, lastAt, ranMs: ran === undefined || ranBefore === undefined ? undefined : ran - ranBefore };
}

/** Of the main thread; `undefined` where the system does not tell, or of a process that has ended. */
function processorMs({ pid }: ChildProcess): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}

/** Until the program has handled the first signal, or has ended. */
export async function untilWarned(child: ChildProcess, ledger: string): Promise<void> {
  const isWarned = () => readLedger(ledger).signal?.handledAt !== undefined;
  while (child.exitCode === null && child.signalCode === null && !isWarned()) await sleep(1);
}

export async function problemsOfEnd(child: ChildProcess, way: Way): Promise<string[]> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const expected: readonly unknown[] = WAYS[way];
  if (expected.includes(code ?? signal)) return [];
  return [`ended with ${code ?? signal} instead of ${expected.join(' or ')}: ${stderr.slice(0, 2000)}`];
}
