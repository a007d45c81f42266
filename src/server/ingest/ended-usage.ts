import type { CallFact, EndFact, StoredCall } from '../../storage/storage.ts';

/** What has ended and used tokens. */
export interface EndedUsage {
  readonly projectId: string;
  /** A call whose client adds up, or a whole trace whose client does not. */
  readonly kind: 'call' | 'trace';
  readonly id: string;
}

/** Which of the facts end something that may have a price. */
export function endedUsageOf(facts: readonly CallFact[]): EndedUsage[] {
  const spans = new Map<string, { readonly traceId: string; readonly isRoot: boolean }>();
  for (const fact of facts) {
    if (fact.kind !== 'start' || fact.otel_dump === null) continue;
    spans.set(fact.id, { traceId: fact.trace_id ?? fact.fallback_trace_id, isRoot: fact.parent_id === null });
  }
  const ended: EndedUsage[] = [];
  for (const fact of facts) {
    if (fact.kind !== 'end') continue;
    const span = spans.get(fact.id);
    if (span?.isRoot === true) ended.push({ projectId: fact.project_id, kind: 'trace', id: span.traceId });
    if (span === undefined && hasUsage(fact)) ended.push({ projectId: fact.project_id, kind: 'call', id: fact.id });
  }
  return ended;
}

export function hasUsage({ summary }: Pick<EndFact, 'summary'> | Pick<StoredCall, 'summary'>): boolean {
  return summary?.includes('"usage":{"') === true;
}
