import type { BeyondCondition } from '../../../filter/condition.ts';
import { meetsBeyond, queriesOf } from '../../../filter/meets-beyond.ts';
import type { CallsSelection } from '../../../protocol/page/calls-selection.ts';
import type { QueryObject } from '../../../protocol/query.ts';
import type { ShownState } from '../../../protocol/shown-state.ts';
import type { CallOutline } from '../../../storage/contract/overviews.ts';
import type { CallPlan, CallSelection } from '../../../storage/contract/plan.ts';
import { startPatience } from '../../../storage/values/patience.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { planSelection } from '../plan/plan-calls.ts';
import { planWhere } from '../plan/plan-where.ts';
import { openPrices } from '../read/call-costs.ts';
import type { RowSources } from './row-sources.ts';
import { type ReadContext, readOptions } from '../read/read-calls.ts';
import { shownStates } from '../read/shown-states.ts';
import { useOf } from './call-use.ts';

export interface PickedCall {
  readonly outline: CallOutline;
  readonly state: ShownState;
}

/** Those of some calls that are meant, in their order. */
export type PickCalls = (outlines: readonly CallOutline[]) => Promise<readonly PickedCall[]>;

/** The calls that a request means: the part that engines are asked for, and the part that is looked up call by call. */
export interface MeantCalls<Request extends CallsSelection> {
  readonly request: Request;
  readonly pick: PickCalls | undefined;
}

/**
 * Reads the selection of a request. Throws where the caller may not read the project. `timed`: all that is looked at has to be
 * done in `read_ms`, or each time that some are; a stream goes on for as long as a stream may.
 */
export async function openSelection<Request extends CallsSelection>(
  sources: RowSources,
  asked: Request,
  context: ReadContext,
  timed: 'as a whole' | 'each time' = 'as a whole',
): Promise<MeantCalls<Request>> {
  checkProject(context.caller, asked.project_id);
  const { request, beyond } = planWhere(asked);
  return { request, pick: await openPick({ sources, projectId: request.project_id, context, timed }, beyond) };
}

interface PickOptions {
  readonly sources: RowSources;
  readonly projectId: string;
  readonly context: ReadContext;
  readonly timed: 'as a whole' | 'each time';
}

/** A look at calls of a selection one by one, for conditions that no query can ask; `undefined` where there are none. */
async function openPick(
  { sources, projectId, context, timed }: PickOptions,
  conditions: readonly BeyondCondition[],
): Promise<PickCalls | undefined> {
  if (conditions.length === 0) return undefined;
  const options = readOptions(context);
  const whole = timed === 'as a whole' ? startPatience(options) : undefined;
  const findPrice = await openPrices(sources.costs, projectId, sources.defaultPrices);
  const queries = conditions
    .flatMap(queriesOf)
    .map((query) => [query, planSelection({ project_id: projectId, query }, context.limits)] as const);
  return async (outlines) => {
    const patience = whole ?? startPatience(options);
    const stateOf = await shownStates(sources, projectId, outlines, options);
    const answers = new Map<QueryObject, ReadonlySet<string>>();
    for (const [query, selection] of queries) answers.set(query, await idsAmong(sources, selection, outlines, context));
    await patience.rest();
    return outlines.flatMap((outline) => {
      patience.check();
      const state = stateOf(outline);
      const facts = { ...useOf(outline, findPrice), state };
      const isMet = (query: QueryObject) => answers.get(query)?.has(outline.id) === true;
      return conditions.every((condition) => meetsBeyond(condition, facts, isMet)) ? [{ outline, state }] : [];
    });
  };
}

const BY_ID: CallPlan['sort'] = [{ field: { kind: 'text', column: 'id' }, isDescending: false }];
const NO_BODIES: CallPlan['bodies'] = new Set();

/** Those of some calls that a selection has. */
export async function idsAmong(
  { calls }: RowSources,
  selection: CallSelection,
  outlines: readonly CallOutline[],
  context: ReadContext,
): Promise<Set<string>> {
  const ids = new Set<string>();
  const named = selection.filter.callIds === undefined ? undefined : new Set(selection.filter.callIds);
  const callIds = outlines.flatMap(({ id }) => (named?.has(id) === false ? [] : [id]));
  // An empty list of ids would be no condition.
  if (callIds.length === 0) return ids;
  const filter = { ...selection.filter, callIds };
  const plan = { ...selection, filter, sort: BY_ID, offset: 0, bodies: NO_BODIES };
  for await (const chunk of calls.query(plan, readOptions(context))) for (const { id } of chunk) ids.add(id);
  return ids;
}
