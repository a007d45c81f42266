import type { AggregatePlan, CallAggregate, CallOutline, OutlinePlan } from '../../../storage/contract/overviews.ts';
import { CallTally, type TalliedCall } from '../../../storage/values/overviews/call-tally.ts';
import { selectionOfTimes } from '../../../storage/values/overviews/overview-plan.ts';
import type { Parents } from '../../../storage/values/overviews/usage-tally.ts';
import type { RowSources } from './row-sources.ts';
import { overviewsIn } from '../read/overviews-in.ts';
import { type ReadContext, readOptions } from '../read/read-calls.ts';
import type { PickCalls, PickedCall } from './pick-calls.ts';

/** The sums of picked calls, as engines say them of a selection. */
export interface PickedSums {
  readonly found: CallAggregate;
  /** Of those that are running there. */
  readonly neverEnded: number;
}

const NEWEST_FIRST: OutlinePlan['sort'] = [
  { field: { kind: 'time', column: 'started_at' }, isDescending: true },
  { field: { kind: 'text', column: 'id' }, isDescending: true },
];
const SHORT = { sort: NEWEST_FIRST, offset: 0, hasPreviews: false } as const;

/** Adds up those calls of a plan that are picked. */
export async function sumPicked(
  sources: RowSources,
  plan: AggregatePlan,
  pick: PickCalls,
  context: ReadContext,
): Promise<PickedSums> {
  const tally = new CallTally(plan);
  let neverEnded = 0;
  for await (const chunk of overviewsIn(sources).outlines(
    { ...selectionOfTimes(plan), ...SHORT },
    readOptions(context),
  )) {
    const picked = await pick(chunk);
    for (const { outline } of picked) tally.add(talliedCall(outline));
    neverEnded += picked.filter(({ state }) => state === 'never_ended').length;
    await countValues(sources, plan, picked, { tally, context });
  }
  const questions = tally.usage.ask();
  for (let asked = questions.next(); asked.done !== true;) {
    asked = questions.next(await parentsOf(sources, plan.projectId, asked.value, context));
  }
  return { found: tally.finish(), neverEnded };
}

/** Values of facets are counted apart: outlines do not have them. */
function talliedCall(outline: CallOutline): TalliedCall {
  const { id, parent_id: parentId, started_at: startedAt, ended_at: endedAt, error, usages } = outline;
  return { id, parentId, startedAt, endedAt, isError: error !== null, usages, values: [] };
}

interface Counting {
  readonly tally: CallTally;
  readonly context: ReadContext;
}

async function countValues(
  sources: RowSources,
  { projectId, facets = [] }: AggregatePlan,
  picked: readonly PickedCall[],
  { tally, context }: Counting,
): Promise<void> {
  if (facets.length === 0 || picked.length === 0) return;
  const filter = { callIds: picked.map(({ outline }) => outline.id) };
  // None has more values than there are calls: all of them are named.
  const whole = facets.map(({ field }) => ({ field, limit: picked.length }));
  const counted = await overviewsIn(sources).aggregate({ projectId, filter, facets: whole }, readOptions(context));
  for (const [index, { values, none }] of counted.facets.entries()) {
    for (const { value, count } of values) tally.addValue(index, value, count);
    tally.addValue(index, null, none);
  }
}

async function parentsOf(
  sources: RowSources,
  projectId: string,
  ids: readonly string[],
  context: ReadContext,
): Promise<Parents> {
  const parents = new Map<string, string | null>();
  const plan = { projectId, filter: { callIds: ids }, ...SHORT };
  for await (const chunk of overviewsIn(sources).outlines(plan, readOptions(context)))
    for (const { id, parent_id: parentId } of chunk) parents.set(id, parentId);
  return parents;
}
