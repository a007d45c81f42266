import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeHome } from '../../test/flow/service-process.ts';
import { lastOf, type Measured, reasonOf, spawnProgram, type Target } from '../measure.ts';
import type { EndSection, KillSection } from '../plan.ts';
import { type CountedTarget, inTurn, type Outcome, withLost } from '../rounds.ts';

/** How a program ends that has nothing to deliver. */
const ENDS = { natural: 0, sigterm: 'SIGTERM', error: 1, exit: 3 } as const;
export type Way = keyof typeof ENDS;

const CALLS_PER_SEC = 1000;
/** No divisor or multiple of what libraries wait for between two batches. */
const KILL_STEP_MS = 137;
/** A program that goes on for so long after its end is ended. */
const LIMIT_MS = 30_000;
/** Until what is in the buffers of a connection whose sender has ended has been read. */
const READ_MS = 100;

interface Ended {
  /** Numbers that it wrote, each on a line of its own; some libraries write lines, too. */
  readonly numbers: readonly number[];
  readonly end: number | NodeJS.Signals | null;
  readonly stderr: string;
  /** When it had ended, in milliseconds since 1970. */
  readonly endedAt: number;
}

/** A program ends right after its calls, without a flush. What has not arrived when the process is gone is lost. */
export function runEnd({ way, adapters, rounds, calls }: EndSection, target: CountedTarget): Promise<Outcome> {
  return inTurn({
    workload: `end-${way}`,
    adapters,
    rounds,
    measure: async (adapter) => {
      await target.reset();
      const { home, remove } = makeHome();
      const ended = await runProgram('end', adapter, { way, calls, target, home });
      remove();
      const [at] = ended.numbers;
      if (at === undefined) return { skipped: reasonOf(adapter, ended.stderr, ended.end) };
      const figures = { exitMs: ended.endedAt - at, otherEnd: ended.end === ENDS[way] ? 0 : 1 };
      return withLost({ calls, figures }, adapter, target);
    },
  });
}

/**
 * A program is killed while it makes calls, each round at another place between two batches. What neither arrived nor is
 * delivered by the next program is lost; at a thousand calls per second each of them is a millisecond.
 */
export function runKill({ adapters, rounds, leadMs }: KillSection, target: CountedTarget): Promise<Outcome> {
  return inTurn({
    workload: 'kill',
    adapters,
    rounds,
    measure: async (adapter, round) => {
      await target.reset();
      return measureKill(adapter, leadMs + round * KILL_STEP_MS, target);
    },
  });
}

async function measureKill(adapter: string, afterMs: number, target: CountedTarget): Promise<Measured> {
  const { home, remove } = makeHome();
  try {
    const killed = await runProgram('kill', adapter, { callsPerSec: CALLS_PER_SEC, target, home }, afterMs);
    if (killed.end !== 'SIGKILL') return { skipped: reasonOf(adapter, killed.stderr, killed.end) };
    const calls = killed.numbers.at(-1) ?? 0;
    const next = await runProgram('end', adapter, { way: 'flush', calls: 1, target, home });
    if (next.numbers.length === 0) return { skipped: reasonOf(adapter, next.stderr, next.end) };
    const lostMs = ((calls + 1 - (await target.countCalls())) * 1000) / CALLS_PER_SEC;
    // The last line may be older than the last calls.
    return { calls, figures: { lostMs: Math.max(0, lostMs) } };
  } finally {
    remove();
  }
}

/** Runs a program to its end; `killAfterMs` is counted from its first line. */
async function runProgram(
  program: string,
  adapter: string,
  input: { readonly target: Target; readonly home: string; readonly [name: string]: unknown },
  killAfterMs?: number,
): Promise<Ended> {
  const child = spawnProgram(program, adapter, input);
  const stderr = lastOf(child.stderr);
  const numbers: number[] = [];
  const output = createInterface({ input: child.stdout }).on('line', (line) => {
    if (/^\d+(\.\d+)?$/.test(line)) numbers.push(Number(line));
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  const closed = once(child, 'close');
  if (killAfterMs !== undefined) {
    output.once('line', () => setTimeout(() => child.kill('SIGKILL'), killAfterMs));
  }
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  const endedAt = performance.timeOrigin + performance.now();
  clearTimeout(limit);
  await closed;
  await sleep(READ_MS);
  return { numbers, end: code ?? signal, stderr: stderr(), endedAt };
}
