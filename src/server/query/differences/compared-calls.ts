import type { CallsDifferencesRequest } from '../../../protocol/page/calls-differences.ts';
import type { CallsSelection } from '../../../protocol/page/calls-selection.ts';
import type { OutlinePlan } from '../../../storage/contract/overviews.ts';
import type { CallSelection } from '../../../storage/contract/plan.ts';
import type { CallTraits, TraitPlan } from '../../../storage/contract/traits.ts';
import { planCallsSelection } from '../plan/plan-overview.ts';
import { planWhere } from '../plan/plan-where.ts';
import { overviewsIn } from '../read/overviews-in.ts';
import { type ReadContext, readOptions } from '../read/read-calls.ts';
import { openSelection } from '../rows/pick-calls.ts';
import type { RowSources } from '../rows/row-sources.ts';
import type { AskedSide } from './left-out.ts';

/** Calls of each side that are looked at: of as many a share is known to a hundredth. */
const MAX_LOOKED_AT = 5000;

/** The calls of both sides of a comparison. */
export interface ComparedSides {
  readonly inside: CallTraits;
  readonly outside: CallTraits;
  /** How each side was asked for. */
  readonly asked: readonly AskedSide[];
}

/** Reads what the calls of both sides are like: those that are selected, and others. */
export async function readSides(
  sources: RowSources,
  { against, limit: _limit, ...own }: CallsDifferencesRequest,
  context: ReadContext,
): Promise<ComparedSides> {
  const other = againstOf(own, against);
  const selected = await openSide(sources, own, context);
  const compared = await openSide(sources, other, context);
  const read = async (plan: Omit<TraitPlan, 'limit'>) =>
    await overviewsIn(sources).traits({ ...plan, limit: MAX_LOOKED_AT }, readOptions(context));
  const [inside, outside] = await Promise.all([
    selected.calls === undefined ? NO_TRAITS : read(selected.calls),
    compared.calls === undefined ? NO_TRAITS : read({ ...compared.calls, without: selected.calls }),
  ]);
  return { inside, outside, asked: [selected.asked, compared.asked] };
}

/** Without another selection the others are all of the same time, and roots where the selection has roots only. */
function againstOf(own: CallsSelection, against: CallsDifferencesRequest['against']): CallsSelection {
  const { project_id, time_zone = null, roots_only = null, started_after = null, started_before = null } = own;
  return { project_id, time_zone, ...(against ?? { roots_only, started_after, started_before }) };
}

interface OpenedSide {
  /** Absent: there are none. */
  readonly calls: CallSelection | undefined;
  readonly asked: AskedSide;
}

async function openSide(sources: RowSources, given: CallsSelection, context: ReadContext): Promise<OpenedSide> {
  const { request, pick } = await openSelection(sources, given, context);
  const selection = planCallsSelection(request, context.limits);
  const asked = { selection: withoutTimes(request, context), beyond: planWhere(given).beyond };
  if (pick === undefined) return { calls: selection, asked };
  const ids: string[] = [];
  const plan: OutlinePlan = { ...selection, sort: BY_ID, offset: 0, hasPreviews: false };
  for await (const chunk of overviewsIn(sources).outlines(plan, readOptions(context))) {
    for (const { outline } of await pick(chunk)) ids.push(outline.id);
  }
  // An empty list of ids would be no condition.
  if (ids.length === 0) return { calls: undefined, asked };
  return { calls: { projectId: selection.projectId, filter: { callIds: ids } }, asked };
}

/** Times are no field that calls are told apart by. */
function withoutTimes(request: CallsSelection, context: ReadContext): CallSelection {
  const { started_after: _after, started_before: _before, ...rest } = request;
  return planCallsSelection(rest, context.limits);
}

const BY_ID: OutlinePlan['sort'] = [{ field: { kind: 'text', column: 'id' }, isDescending: false }];

const NO_TRAITS: CallTraits = {
  total: 0,
  count: 0,
  traces: new Uint32Array(),
  fields: [],
  texts: [],
  textPlaces: new Uint32Array(),
  textEnds: new Uint32Array(),
  numbers: new Float64Array(),
  numberFields: new Uint32Array(),
  numberEnds: new Uint32Array(),
};
