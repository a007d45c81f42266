import type { ProjectSummary } from '../../../protocol/page/project.ts';
import { formatDateTime } from '../../../protocol/values/date-time.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import type { CallSelection } from '../../../storage/contract/plan.ts';
import { mayUse } from '../../keys/authenticate.ts';
import { type ReadContext, readOptions } from './read-calls.ts';

/** The projects that have calls and that the caller may use, the one that was used last first. */
export async function readProjects(
  { calls, retention }: Pick<Storage, 'calls' | 'retention'>,
  context: ReadContext,
): Promise<ProjectSummary[]> {
  const names = (await retention?.projects(readOptions(context))) ?? [];
  const allowed = names.filter((name) => mayUse(context.caller, name.slice(0, name.indexOf('/'))));
  const summaries = await Promise.all(allowed.map(async (name) => await summaryOf(calls, name, context)));
  return summaries
    .filter((summary) => summary.calls > 0)
    .sort((left, right) => compare(right.last_started_at ?? '', left.last_started_at ?? ''));
}

async function summaryOf(calls: Storage['calls'], projectId: string, context: ReadContext): Promise<ProjectSummary> {
  const options = readOptions(context);
  const all: CallSelection = { projectId, filter: {} };
  const failed: CallSelection = { ...all, condition: HAS_EXCEPTION };
  const [count, errors, last] = await Promise.all([
    calls.count(all, undefined, options),
    calls.count(failed, undefined, options),
    lastStart(calls, all, context),
  ]);
  return { project_id: projectId, calls: count, errors, last_started_at: last };
}

const HAS_EXCEPTION: NonNullable<CallSelection['condition']> = {
  kind: 'not',
  condition: { kind: 'isNull', operand: { kind: 'text', column: 'exception' } },
};

async function lastStart(calls: Storage['calls'], all: CallSelection, context: ReadContext): Promise<string | null> {
  const sort = [
    { field: { kind: 'time', column: 'started_at' }, isDescending: true },
    { field: { kind: 'text', column: 'id' }, isDescending: true },
  ] as const;
  for await (const chunk of calls.query(
    { ...all, sort, limit: 1, offset: 0, bodies: new Set() },
    readOptions(context),
  )) {
    for (const call of chunk) return formatDateTime(call.started_at);
  }
  return null;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
