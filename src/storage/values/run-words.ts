import { compareCodePoints } from '../../protocol/values/canonical-json.ts';
import type { RunFacts } from '../contract/runs.ts';

/**
 * All that was said of a run. Words come in any order, any number of times and to several services: of two that differ one stays,
 * always the same one.
 */
export function mergedRun(known: RunFacts, said: RunFacts): RunFacts {
  const { project_id, id } = known;
  return {
    project_id,
    id,
    started_at: chosen(known.started_at, said.started_at, Math.min),
    pid: chosen(known.pid, said.pid, Math.max),
    host: chosen(known.host, said.host, greaterText),
    version: chosen(known.version, said.version, greaterText),
    commit: chosen(known.commit, said.commit, greaterText),
    is_dirty: chosen(known.is_dirty, said.is_dirty, (one, other) => one || other),
  };
}

/** Is everything that is said known? */
export function saysNothingNew(known: RunFacts, said: RunFacts): boolean {
  const merged = mergedRun(known, said);
  return WORDS.every((word) => merged[word] === known[word]);
}

const WORDS = ['started_at', 'pid', 'host', 'version', 'commit', 'is_dirty'] as const satisfies (keyof RunFacts)[];

function chosen<T>(one: T | undefined, other: T | undefined, choose: (one: T, other: T) => T): T | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return choose(one, other);
}

function greaterText(one: string, other: string): string {
  return compareCodePoints(one, other) < 0 ? other : one;
}
