import { appendFileSync, readFileSync } from 'node:fs';

/**
 * The demo's own book of what it did, kept without Spoor: every function writes its name first thing when it runs.
 * What stands here and is not read back from the service is lost.
 */
export interface Ledger {
  /** Written synchronously, so that not even a crash loses a line. */
  note(op: string): void;
}

export function openLedger(file: string): Ledger {
  return { note: (op) => appendFileSync(file, `${op}\n`) };
}

/** How often each op ran. */
export function readLedger(file: string): Map<string, number> {
  return countByName(readFileSync(file, 'utf8').trim().split('\n'));
}

export function countByName(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
