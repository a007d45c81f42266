import type { CallsStatsRequest } from '../../../protocol/page/calls-stats.ts';
import { MAX_RUNNING_MS } from '../../../protocol/shown-state.ts';
import type { CallSelection, Condition } from '../../../storage/contract/plan.ts';
import { planCallsSelection } from '../plan/plan-overview.ts';
import type { RowSources } from './row-sources.ts';
import { goneTraces } from '../read/gone-traces.ts';
import { overviewsIn } from '../read/overviews-in.ts';
import { type ReadContext, readOptions } from '../read/read-calls.ts';

/** Traces whose processes are looked for in one sum, those with most running calls first; calls of others count as running. */
const MAX_TRACES = 5000;

/** How many calls of a selection get no end: those that lists show as such. */
export async function countNeverEnded(
  sources: RowSources,
  request: CallsStatsRequest,
  context: ReadContext,
): Promise<number> {
  const selection = planCallsSelection(request, context.limits);
  const latest = (Date.now() - MAX_RUNNING_MS) * 1000;
  const [old, gone] = await Promise.all([
    sources.calls.count(withoutEnd(selection, 'lt', latest), undefined, readOptions(context)),
    countOfGone(sources, withoutEnd(selection, 'gte', latest), context),
  ]);
  return old + gone;
}

/** Those of traces whose process has ended. */
async function countOfGone(sources: RowSources, selection: CallSelection, context: ReadContext): Promise<number> {
  const facet = { field: { kind: 'text', column: 'trace_id' }, limit: MAX_TRACES } as const;
  const { facets } = await overviewsIn(sources).aggregate({ ...selection, facets: [facet] }, readOptions(context));
  const traces = facets[0]?.values ?? [];
  const ids = traces.map(({ value }) => value);
  const gone = await goneTraces(sources, selection.projectId, ids, readOptions(context));
  return traces.reduce((sum, { value, count }) => (gone.has(value) ? sum + count : sum), 0);
}

function withoutEnd(selection: CallSelection, operator: 'lt' | 'gte', startedAt: number): CallSelection {
  const conditions: Condition[] = [
    {
      kind: 'compare',
      operator,
      left: { kind: 'time', column: 'started_at' },
      right: { kind: 'literal', value: startedAt },
    },
    // Beside the time these are found by an index, which the name of a state is not.
    { kind: 'isNull', operand: { kind: 'time', column: 'ended_at' } },
    { kind: 'isNull', operand: { kind: 'text', column: 'exception' } },
    ...(selection.condition ? [selection.condition] : []),
  ];
  return { ...selection, condition: { kind: 'and', conditions } };
}
