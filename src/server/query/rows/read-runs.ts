import { TracingError } from '../../../protocol/error.ts';
import type { Run, RunsListRequest, RunsListResponse } from '../../../protocol/page/run.ts';
import { formatDateTime } from '../../../protocol/values/date-time.ts';
import type { CallPlan } from '../../../storage/contract/plan.ts';
import type { RunPlan, RunStore, StoredRun } from '../../../storage/contract/runs.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { notNegative } from '../plan/not-negative.ts';
import { type ReadContext, readOptions } from '../read/read-calls.ts';
import type { RowSources } from './row-sources.ts';
import { readCursor, runCursor, strangeCursor } from './rows-cursor.ts';
import { ListSums, type ShownSums } from './run-sums.ts';

/** Runs of a page of the list. */
const DEFAULT_RUNS = 20;
const MAX_RUNS = 200;

/** Times that a request looks for more runs, where no call is left of those that it has found: the cursor leads on. */
const MAX_LOOKS = 4;

/** Without the time for sums. */
const UNKNOWN: Pick<Run, keyof ShownSums> = {
  calls: null,
  errors: null,
  running: null,
  never_ended: null,
  tokens: null,
  cost: null,
  unpriced_models: [],
};

interface RunSources extends RowSources {
  readonly runs?: RunStore | undefined;
}

/**
 * A page of the runs of a project, the one whose first call started last first. Sums of their calls are told as far as they can be
 * made soon. A run of which no call is left is not shown: then a page may have fewer runs and more may follow.
 */
export async function readRuns(
  { runs: store, ...sources }: RunSources,
  request: RunsListRequest,
  context: ReadContext,
): Promise<RunsListResponse> {
  const { project_id: projectId, entry_op: entryOp, limit: asked, cursor } = request;
  checkProject(context.caller, projectId);
  const ids = await idsOf(sources, request, context);
  if (store === undefined || ids?.length === 0) return { runs: [], next_cursor: null };
  const limit = Math.min(Math.max(notNegative('limit', asked) ?? DEFAULT_RUNS, 1), MAX_RUNS);
  let after = placeOf(cursor ?? undefined) ?? (await placeBefore(store, request, context));
  if (after === undefined && typeof request.before === 'string') return { runs: [], next_cursor: null };
  const sums = request.sums === false ? undefined : new ListSums({ ...sources, runs: store }, projectId, context);
  const found: Run[] = [];
  for (let looks = 1; ; looks++) {
    // Where the newest have no calls, many of those before them may have none.
    const wanted = looks === 1 ? limit : MAX_RUNS;
    const plan: RunPlan = { projectId, ids, entryOp: entryOp ?? undefined, after, limit: wanted + 1 };
    const page = await store.list(plan, readOptions(context));
    const taken = page.slice(0, wanted);
    const ofRuns = await sums?.of(taken);
    const left = taken.filter(({ id }) => ofRuns?.get(id) !== null);
    const shown = left.slice(0, limit - found.length);
    found.push(...shown.map((run) => toRun(run, ofRuns?.get(run.id) ?? UNKNOWN)));
    const isAll = page.length <= wanted && shown.length === left.length;
    after = found.length === limit ? (shown.at(-1) ?? after) : (taken.at(-1) ?? after);
    if (isAll || after === undefined) return { runs: found, next_cursor: null };
    if (found.length === limit || looks === MAX_LOOKS) return { runs: found, next_cursor: runCursor(after) };
  }
}

/** The runs that a request names; undefined: any. */
async function idsOf(
  { calls }: RowSources,
  { project_id: projectId, ids, call_id: callId }: RunsListRequest,
  context: ReadContext,
): Promise<readonly string[] | undefined> {
  const named = ids ?? undefined;
  const { limits } = context;
  if (named !== undefined && named.length > limits.filter_items) {
    throw new TracingError('too_many_items', `Cannot list runs: more than ${limits.filter_items} ids are named`);
  }
  if (callId === null || callId === undefined) return named;
  const plan: CallPlan = { ...ONE, projectId, filter: { callIds: [callId] } };
  for await (const [call] of calls.query(plan, readOptions(context))) {
    const run = call?.process_run;
    if (run !== undefined) return named?.includes(run) === false ? [] : [run];
  }
  return [];
}

/** One call, without what takes room. */
const ONE: Pick<CallPlan, 'sort' | 'offset' | 'limit' | 'bodies'> = {
  sort: [{ field: { kind: 'text', column: 'id' }, isDescending: false }],
  offset: 0,
  limit: 1,
  bodies: new Set(),
};

/** A cursor of this list has the place of a run as those of calls have that of a call. */
function placeOf(cursor: string | undefined): RunPlan['after'] {
  const { after } = readCursor(cursor);
  if (after !== undefined) return { first_at: after.startedAt, id: after.id };
  if (cursor !== undefined) throw strangeCursor();
  return undefined;
}

/** The place of the run that all others are to come before; `undefined` where none is named, or nobody knows it. */
async function placeBefore(
  runs: RunStore,
  { project_id: projectId, before }: RunsListRequest,
  context: ReadContext,
): Promise<RunPlan['after']> {
  if (before === null || before === undefined) return undefined;
  const [run] = await runs.list({ projectId, ids: [before], limit: 1 }, readOptions(context));
  return run;
}

function toRun(run: StoredRun, sums: Pick<Run, keyof ShownSums> | ShownSums): Run {
  return {
    id: run.id,
    entry_op: run.entry_op,
    started_at: run.started_at === null ? null : formatDateTime(run.started_at),
    first_call_at: formatDateTime(run.first_at),
    last_seen_at: formatDateTime(run.last_at),
    duration_ms: (run.last_at - run.first_at) / 1000,
    pid: run.pid,
    host: run.host,
    version: run.version,
    commit: run.commit,
    is_dirty: run.is_dirty,
    ...sums,
    unpriced_models: [...sums.unpriced_models],
  };
}
