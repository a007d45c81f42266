import type { EndedUsage } from '../ingest/calls/ended-usage.ts';

const CALLS_PER_READ = 500;
/** An end may come before its start, and a child before its parent: they are looked for at so many scrapes. */
const ATTEMPTS = 2;

/** Usage that has ended and is not counted yet. */
export interface Waiting extends EndedUsage {
  /** Scrapes that have looked for it. */
  readonly attempts: number;
  /** Since when it waits for what runs above it, by the clock of `performance`. */
  readonly heldSince?: number;
}

/** Groups that are read together: calls of a project, and traces one by one. */
export function* groupsOf(due: readonly Waiting[]): Generator<readonly Waiting[]> {
  const calls = new Map<string, Waiting[]>();
  for (const entry of due) {
    if (entry.kind === 'trace') continue;
    const others = calls.get(entry.projectId);
    if (others) others.push(entry);
    else calls.set(entry.projectId, [entry]);
  }
  for (const ofProject of calls.values()) {
    for (let index = 0; index < ofProject.length; index += CALLS_PER_READ) {
      yield ofProject.slice(index, index + CALLS_PER_READ);
    }
  }
  for (const entry of due) if (entry.kind === 'trace') yield [entry];
}

/** Is what cannot be found now not looked for again? */
export function isLast({ attempts }: Waiting): boolean {
  return attempts + 1 >= ATTEMPTS;
}
