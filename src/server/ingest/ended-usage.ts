import type { CallFact, EndFact, StartFact } from '../../storage/storage.ts';

/** What has ended and used tokens. */
export interface EndedUsage {
  readonly projectId: string;
  /** A call whose client adds up, or a whole trace whose client does not. */
  readonly kind: 'call' | 'trace';
  readonly id: string;
}

/** Which of the facts end something that may have a price; each is named once. */
export function endedUsageOf(facts: readonly CallFact[]): EndedUsage[] {
  const starts = new Map<string, StartFact>();
  for (const fact of facts) if (fact.kind === 'start') starts.set(keyOf(fact.project_id, fact.id), fact);
  const ended = new Map<string, EndedUsage>();
  for (const fact of facts) {
    if (fact.kind !== 'end') continue;
    const one = endedBy(fact, starts);
    if (one !== undefined) ended.set(JSON.stringify(one), one);
  }
  return [...ended.values()];
}

/**
 * A span ends its trace as far as it is known: roots may never come, or before the others. What a call has used below
 * another one of the batch will be in the sums of that.
 */
function endedBy(end: EndFact, starts: ReadonlyMap<string, StartFact>): EndedUsage | undefined {
  const projectId = end.project_id;
  const start = starts.get(keyOf(projectId, end.id));
  if (start !== undefined && start.otel_dump !== null) {
    if (start.parent_id !== null && !hasUsage(end)) return undefined;
    return { projectId, kind: 'trace', id: start.trace_id ?? start.fallback_trace_id };
  }
  if (!hasUsage(end)) return undefined;
  const parentId = start?.parent_id ?? null;
  const parent = parentId === null ? undefined : starts.get(keyOf(projectId, parentId));
  return parent?.otel_dump === null ? undefined : { projectId, kind: 'call', id: end.id };
}

function keyOf(projectId: string, id: string): string {
  return `${projectId}\n${id}`;
}

function hasUsage({ summary }: EndFact): boolean {
  return summary.includes('"usage":{"');
}
