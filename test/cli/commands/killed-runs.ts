import { fileURLToPath } from 'node:url';
import { CLI, type Finished, runNode } from '../../flow/service-process.ts';

const KILLER = fileURLToPath(new URL('killed-at.mjs', import.meta.url));

/** Runs a command that is killed before its step number `step`, counted from 1; one of fewer steps runs to its end. */
export async function runKilledAt(home: string, step: number, ...args: string[]): Promise<Finished> {
  return await runNode(['--import', KILLER, CLI, ...args], { home, env: { KILLED_AT: String(step) } });
}
