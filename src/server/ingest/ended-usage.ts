import type { CallFact, EndFact, StartFact } from '../../storage/storage.ts';

/** What has ended and used tokens. */
export interface EndedUsage {
  readonly projectId: string;
  /** A call whose client adds up, or a whole trace whose client does not. */
  readonly kind: 'call' | 'trace';
  readonly id: string;
}

/** Starts of a batch by their projects and ids. Texts that name both are made for every record, and cost more than the look. */
type Starts = ReadonlyMap<string, ReadonlyMap<string, StartFact>>;

/**
 * Which of the facts end something that may have a price. A trace is named once, a call once for each of its ends. This
 * is a part of every write: it takes about as long as reading the dates of the calls.
 */
export function endedUsageOf(facts: readonly CallFact[]): EndedUsage[] {
  if (!facts.some(mayMatter)) return [];
  const starts = startsOf(facts);
  const ended: EndedUsage[] = [];
  const traces = new Set<string>();
  for (const fact of facts) {
    const one = fact.kind === 'end' ? endedBy(fact, starts) : undefined;
    if (one === undefined || (one.kind === 'trace' && traces.has(keyOf(one)))) continue;
    if (one.kind === 'trace') traces.add(keyOf(one));
    ended.push(one);
  }
  return ended;
}

/** A name for it among all others: neither projects nor ids have line breaks. */
export function keyOf({ kind, projectId, id }: EndedUsage): string {
  return `${kind}\n${projectId}\n${id}`;
}

/** Without a span a batch ends only what tells its usage. */
function mayMatter(fact: CallFact): boolean {
  return fact.kind === 'start' ? fact.otel_dump !== null : hasUsage(fact);
}

function startsOf(facts: readonly CallFact[]): Starts {
  const projects = new Map<string, Map<string, StartFact>>();
  for (const fact of facts) {
    if (fact.kind !== 'start') continue;
    const known = projects.get(fact.project_id);
    if (known === undefined) projects.set(fact.project_id, new Map([[fact.id, fact]]));
    else known.set(fact.id, fact);
  }
  return projects;
}

/**
 * A span ends its trace as far as it is known: roots may never come, or before the others. What a call has used below
 * another one of the batch will be in the sums of that.
 */
function endedBy(end: EndFact, all: Starts): EndedUsage | undefined {
  const projectId = end.project_id;
  const starts = all.get(projectId);
  const start = starts?.get(end.id);
  if (start !== undefined && start.otel_dump !== null) {
    if (start.parent_id !== null && !hasUsage(end)) return undefined;
    return { projectId, kind: 'trace', id: start.trace_id ?? start.fallback_trace_id };
  }
  if (!hasUsage(end)) return undefined;
  const parentId = start?.parent_id ?? null;
  const parent = parentId === null ? undefined : starts?.get(parentId);
  return parent?.otel_dump === null ? undefined : { projectId, kind: 'call', id: end.id };
}

function hasUsage({ summary }: EndFact): boolean {
  return summary.length > SHORTEST_USAGE && summary.includes('"usage":{"');
}

const SHORTEST_USAGE = '{"usage":{}}'.length;
