import { opNameOf } from '../../protocol/ref.ts';
import { compareCodePoints } from '../../protocol/values/canonical-json.ts';
import type { CallFact, CallReader } from '../contract/calls.ts';
import type { ReadOptions } from '../contract/reads.ts';
import type { RunFacts, RunPlan, RunStore, RunSums, RunSumsPlan, StoredRun } from '../contract/runs.ts';
import { sumRuns } from '../values/overviews/sum-runs.ts';
import { mergedRun } from '../values/run-words.ts';

/** The calls of a run, as far as they tell of it. */
interface Seen {
  readonly entry: { readonly op: string; readonly at: number } | undefined;
  readonly lastAt: number;
}

interface Known {
  readonly facts: RunFacts;
  readonly seen: Seen | undefined;
}

export class MemoryRuns implements RunStore {
  readonly #runs = new Map<string, Known>();
  readonly #calls: () => CallReader;

  /** `calls`: asked for when calls are added up. */
  constructor(calls: () => CallReader) {
    this.#calls = calls;
  }

  async note(run: RunFacts): Promise<void> {
    const known = this.#known(run);
    this.#store({ ...known, facts: mergedRun(known.facts, run) });
  }

  async list({ projectId, ids, entryOp, after, limit }: RunPlan): Promise<StoredRun[]> {
    return [...this.#runs.values()]
      .flatMap((known) => storedRun(known))
      .filter((run) => run.project_id === projectId)
      .filter((run) => ids === undefined || ids.includes(run.id))
      .filter((run) => entryOp === undefined || run.entry_op === entryOp)
      .sort(byTime)
      .filter((run) => after === undefined || byTime(after, run) < 0)
      .slice(0, limit);
  }

  async sums(plan: RunSumsPlan, options?: ReadOptions): Promise<RunSums[]> {
    return await sumRuns(this.#calls(), plan, options);
  }

  /** A fact is written. */
  see(fact: CallFact): void {
    if (fact.process_run === undefined) return;
    const known = this.#known({ project_id: fact.project_id, id: fact.process_run });
    this.#store({ ...known, seen: seenWith(known.seen, fact) });
  }

  /** Forgets runs in which nothing has happened since a time, but for those that calls are still of. */
  removeBefore(projectId: string, time: number, isLeft: (id: string) => boolean): void {
    for (const [key, { facts, seen }] of this.#runs) {
      const isOld = facts.project_id === projectId && (seen?.lastAt ?? facts.started_at ?? 0) < time;
      if (isOld && !isLeft(facts.id)) this.#runs.delete(key);
    }
  }

  #known({ project_id, id }: RunFacts): Known {
    return this.#runs.get(keyOf(project_id, id)) ?? { facts: { project_id, id }, seen: undefined };
  }

  #store(known: Known): void {
    this.#runs.set(keyOf(known.facts.project_id, known.facts.id), known);
  }
}

function seenWith(seen: Seen | undefined, fact: CallFact): Seen {
  const at = fact.kind === 'start' ? fact.started_at : fact.ended_at;
  const isFirst = fact.kind === 'start' && (seen?.entry === undefined || fact.started_at < seen.entry.at);
  return {
    entry: isFirst ? { op: opNameOf(fact.op_name), at: fact.started_at } : seen?.entry,
    lastAt: Math.max(at, seen?.lastAt ?? at),
  };
}

/** Nothing while no start is known. */
function storedRun({ facts, seen }: Known): StoredRun[] {
  if (seen?.entry === undefined) return [];
  const { project_id, id, started_at, pid, host, version, commit, is_dirty } = facts;
  return [
    {
      project_id,
      id,
      entry_op: seen.entry.op,
      first_at: seen.entry.at,
      last_at: seen.lastAt,
      started_at: started_at ?? null,
      pid: pid ?? null,
      host: host ?? null,
      version: version ?? null,
      commit: commit ?? null,
      is_dirty: is_dirty ?? null,
    },
  ];
}

type Placed = Pick<StoredRun, 'first_at' | 'id'>;

function byTime(left: Placed, right: Placed): number {
  return right.first_at - left.first_at || compareCodePoints(right.id, left.id);
}

function keyOf(projectId: string, id: string): string {
  return `${projectId}\0${id}`;
}
