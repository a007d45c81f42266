import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Results, Spread } from '../results.ts';

/** One run of the bench of pages. */
export interface PageRun {
  readonly date: string;
  readonly seconds: number;
  /** The program that was measured, and the one that showed it. */
  readonly machine: Results['machine'] & { readonly browser: string };
  /** Calls of the largest project. */
  readonly calls: number;
  readonly figures: Readonly<Record<string, Spread>>;
}

/** A line for each run, the newest last. */
const FILE = new URL('history.jsonl', import.meta.url);

export function storedRuns(): PageRun[] {
  if (!existsSync(FILE)) return [];
  const lines = readFileSync(FILE, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as PageRun);
}

export function storeRun(run: PageRun): void {
  appendFileSync(FILE, `${JSON.stringify(run)}\n`);
}
