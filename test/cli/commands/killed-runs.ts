import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLI, environmentOf, type Finished, runCli } from '../../flow/service-process.ts';

export interface KilledRuns {
  /** State folder. */
  readonly home: string;
  /** Arguments of the command. */
  readonly args: readonly string[];
  /** How far it is, in bytes of its file. */
  readonly progress: () => number;
  /** Bytes at each of which one attempt is killed, ascending. */
  readonly killedAt: readonly number[];
}

export interface KilledResult {
  /** Attempts that were killed before they ended by themselves. */
  readonly kills: number;
  /** The last attempt, which nobody killed. */
  readonly last: Finished;
}

const LOOK_EVERY_MS = 2;

/** Runs a command again and again, each time killed as soon as it is so far, and at last to its end. */
export async function runKilled({ home, args, progress, killedAt }: KilledRuns): Promise<KilledResult> {
  let kills = 0;
  for (const bytes of killedAt) {
    const child = spawn(process.execPath, [CLI, ...args], { env: environmentOf(home), stdio: 'ignore' });
    const exited = once(child, 'exit');
    while (child.exitCode === null && progress() < bytes) await sleep(LOOK_EVERY_MS);
    child.kill('SIGKILL');
    await exited;
    if (child.signalCode === 'SIGKILL') kills += 1;
    else break;
  }
  return { kills, last: await runCli(home, ...args) };
}

/** So many places in ascending order, the first one at the very beginning. */
export function placesWithin(bytes: number, count: number): number[] {
  return [1, ...Array.from({ length: count - 1 }, () => Math.floor(Math.random() * bytes))].toSorted((a, b) => a - b);
}
