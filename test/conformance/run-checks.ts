import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Installed } from './install-packed.ts';

export interface CheckResult {
  readonly section: string;
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly error?: string;
}

/** Runs the program under a version of Node; what it could not tell any more is a failure of its own. */
export async function runChecks(
  node: string,
  { folder, program, copy }: Installed,
  sections: readonly string[],
): Promise<{ readonly checks: readonly CheckResult[] }> {
  const child = spawn(node, [program, copy, ...sections], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const noise = text(child.stderr);
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const checks: CheckResult[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    // What checks print is not ours.
    if (line.startsWith('{"section":')) checks.push(JSON.parse(line) as CheckResult);
  }
  const [code, signal] = await exit;
  if (code === 0 && checks.length > 0) return { checks };
  const error = `It ended with ${signal ?? code} after ${checks.length} checks\n${await noise}`;
  return { checks: [...checks, { section: 'Run', name: 'the kit runs to its end', result: 'failed', error }] };
}
