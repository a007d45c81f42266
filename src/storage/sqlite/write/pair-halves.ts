import type { CallFact, EndFact, StartFact } from '../../contract/calls.ts';

/**
 * The end that a start is written with, where both come in one request: one row then, in place of one that is written
 * and changed again. The first end behind the start of its call is meant; others of the same call are written by
 * themselves when their turn comes, and an end in front of its start as well, which is answered without a trace.
 */
export function pairHalves(facts: readonly CallFact[]): ReadonlyMap<StartFact, EndFact> {
  const pairs = new Map<StartFact, EndFact>();
  /** By id alone: a call of the same id in another project hides this one, which then is written in halves. */
  const open = new Map<string, StartFact>();
  for (const fact of facts) {
    if (fact.kind === 'start') {
      if (!open.has(fact.id)) open.set(fact.id, fact);
      continue;
    }
    const start = open.get(fact.id);
    if (start?.project_id !== fact.project_id || pairs.has(start)) continue;
    pairs.set(start, fact);
  }
  return pairs;
}
