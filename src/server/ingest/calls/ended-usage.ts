import type { CallFact, EndFact, StartFact } from '../../../storage/contract/calls.ts';

/** A call or a trace that has ended and used tokens. */
export interface EndedUsage {
  readonly projectId: string;
  /** A call whose client adds up, or a whole trace whose client does not. */
  readonly kind: 'call' | 'trace';
  readonly id: string;
}

/** Records of a batch for one project. By ids: texts that name project and id would cost more than the look. */
interface Known {
  readonly starts: Map<string, StartFact>;
  /** Calls that end with usage. */
  readonly users: Set<string>;
}

/**
 * The facts that end something that may have a price. A trace is named once, a call once for each of its ends. This
 * is a part of every write: it takes about as long as reading the dates of the calls.
 */
export function endedUsageOf(facts: readonly CallFact[]): EndedUsage[] {
  if (!facts.some(mayMatter)) return [];
  const known = knownOf(facts);
  const ended: EndedUsage[] = [];
  const traces = new Set<string>();
  for (const fact of facts) {
    const one = fact.kind === 'end' ? endedBy(fact, known.get(fact.project_id)) : undefined;
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

function knownOf(facts: readonly CallFact[]): ReadonlyMap<string, Known> {
  const projects = new Map<string, Known>();
  for (const fact of facts) {
    let known = projects.get(fact.project_id);
    if (known === undefined) projects.set(fact.project_id, (known = { starts: new Map(), users: new Set() }));
    if (fact.kind === 'start') known.starts.set(fact.id, fact);
    else if (hasUsage(fact)) known.users.add(fact.id);
  }
  return projects;
}

/**
 * A span ends its trace as far as it is known: roots may never come, or before the others. What a call has used below
 * another one that ends with usage is in the sums of that.
 */
function endedBy(end: EndFact, known: Known | undefined): EndedUsage | undefined {
  const projectId = end.project_id;
  const start = known?.starts.get(end.id);
  if (start !== undefined && start.otel_dump !== null) {
    if (start.parent_id !== null && !hasUsage(end)) return undefined;
    return { projectId, kind: 'trace', id: start.trace_id ?? start.fallback_trace_id };
  }
  if (!hasUsage(end)) return undefined;
  const parent = known?.starts.get(start?.parent_id ?? '');
  const isInSums = parent?.otel_dump === null && known?.users.has(parent.id) === true;
  return isInSums ? undefined : { projectId, kind: 'call', id: end.id };
}

function hasUsage({ summary }: EndFact): boolean {
  return summary.length > SHORTEST_USAGE && summary.includes('"usage":{"');
}

const SHORTEST_USAGE = '{"usage":{}}'.length;
