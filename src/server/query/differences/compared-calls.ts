import type { CallsDifferencesRequest } from '../../../protocol/page/calls-differences.ts';
import type { CallsSelection } from '../../../protocol/page/calls-selection.ts';
import type { CallOutline, OutlinePlan } from '../../../storage/contract/overviews.ts';
import type { CallSelection } from '../../../storage/contract/plan.ts';
import type { CallTraits, TraitPlan } from '../../../storage/contract/traits.ts';
import { startPatience } from '../../../storage/values/patience.ts';
import { IdSample } from '../../../storage/values/sample.ts';
import { planCallsSelection } from '../plan/plan-overview.ts';
import { planWhere } from '../plan/plan-where.ts';
import { overviewsIn } from '../read/overviews-in.ts';
import { type ReadContext, readOptions } from '../read/read-calls.ts';
import { idsAmong, openSelection, type PickCalls } from '../rows/pick-calls.ts';
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
  const isRead = selected.pick === undefined && compared.pick === undefined;
  const [inside, outside] = await Promise.all([
    selected.pick === undefined ? readTraits(sources, selected.calls, context) : readPicked(sources, selected, context),
    isRead
      ? readTraits(sources, { ...compared.calls, without: selected.calls }, context)
      : readPicked(sources, compared, context, selected),
  ]);
  return { inside, outside, asked: [selected.asked, compared.asked] };
}

async function readTraits(
  sources: RowSources,
  plan: Omit<TraitPlan, 'limit'>,
  context: ReadContext,
): Promise<CallTraits> {
  return await overviewsIn(sources).traits({ ...plan, limit: MAX_LOOKED_AT }, readOptions(context));
}

/** Without another selection the others are all of the same time, and roots where the selection has roots only. */
function againstOf(own: CallsSelection, against: CallsDifferencesRequest['against']): CallsSelection {
  const { project_id, time_zone = null, roots_only = null, started_after = null, started_before = null } = own;
  return { project_id, time_zone, ...(against ?? { roots_only, started_after, started_before }) };
}

interface OpenedSide {
  /** Of them those that are picked, where some are. */
  readonly calls: CallSelection;
  readonly pick: PickCalls | undefined;
  readonly asked: AskedSide;
}

async function openSide(sources: RowSources, given: CallsSelection, context: ReadContext): Promise<OpenedSide> {
  const { request, pick } = await openSelection(sources, given, context);
  const calls = planCallsSelection(request, context.limits);
  return { calls, pick, asked: { selection: withoutTimes(request, context), beyond: planWhere(given).beyond } };
}

/** The traits of calls that are picked, without those of another side: of all of them ids of a sample are held, and no others. */
async function readPicked(
  sources: RowSources,
  side: OpenedSide,
  context: ReadContext,
  without?: OpenedSide,
): Promise<CallTraits> {
  const options = readOptions(context);
  const { check, rest } = startPatience(options);
  const sample = new IdSample(MAX_LOOKED_AT);
  const plan: OutlinePlan = { ...side.calls, sort: BY_ID, offset: 0, hasPreviews: false };
  for await (const chunk of overviewsIn(sources).outlines(plan, options)) {
    const picked = await pickedOf(side, chunk);
    const left = without === undefined ? NONE : await idsIn(sources, without, picked, context);
    for (const { id } of picked) {
      check();
      if (!left.has(id)) sample.add(id);
    }
    await rest();
  }
  const callIds = sample.ids();
  // An empty list of ids would be no condition.
  if (callIds.length === 0) return NO_TRAITS;
  const { projectId } = side.calls;
  return { ...(await readTraits(sources, { projectId, filter: { callIds } }, context)), total: sample.count };
}

async function pickedOf({ pick }: OpenedSide, outlines: readonly CallOutline[]): Promise<readonly CallOutline[]> {
  if (pick === undefined || outlines.length === 0) return outlines;
  return (await pick(outlines)).map(({ outline }) => outline);
}

/** Those of some calls that are of a side. */
async function idsIn(
  sources: RowSources,
  side: OpenedSide,
  outlines: readonly CallOutline[],
  context: ReadContext,
): Promise<ReadonlySet<string>> {
  const ids = await idsAmong(sources, side.calls, outlines, context);
  if (side.pick === undefined) return ids;
  const picked = await pickedOf(
    side,
    outlines.filter(({ id }) => ids.has(id)),
  );
  return new Set(picked.map(({ id }) => id));
}

const NONE: ReadonlySet<string> = new Set();

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
