import { opNameOf } from '../../../protocol/ref.ts';
import type { CallFact } from '../../contract/calls.ts';
import type { RunFacts } from '../../contract/runs.ts';
import type { Row } from '../connection.ts';
import { grouped } from './grouped.ts';

/** Later than anything happens: ends alone tell no first time. */
export const NO_TIME = '9000000000000000000';

/** Times from the farthest past on are positive then, and sort as texts of one length do. */
const SHIFT = 10n ** 18n;

/** Characters of a time before the name of an op. */
export const ENTRY_TIME = 19;

type RunFact = CallFact & { readonly process_run: string };

/** Behind all digits. */
const NO_ENTRY = '~';

/** The row of a run of which nothing is said. */
function emptyRow(projectId: string, id: string) {
  const times = { entry: NO_ENTRY, first: NO_TIME, last: `-${NO_TIME}`, started_at: NO_TIME };
  return { project_id: projectId, id, ...times, pid: 0, host: '', version: '', git_commit: '', is_dirty: 0 };
}

/** The row of what a process has said of itself. */
export function rowOfWords({ project_id, id, started_at, pid, host, version, commit, is_dirty }: RunFacts): Row {
  return {
    ...emptyRow(project_id, id),
    started_at: started_at ?? NO_TIME,
    pid: pid ?? 0,
    host: host?.toWellFormed() ?? '',
    version: version?.toWellFormed() ?? '',
    git_commit: commit?.toWellFormed() ?? '',
    is_dirty: is_dirty === undefined ? 0 : is_dirty ? 2 : 1,
  };
}

/** One row for all that facts say of a run. */
export function runRows(facts: readonly { readonly kind: string }[]): Row[] {
  const runs = grouped(facts.filter(isOfRun), (fact) => `${fact.project_id}\0${fact.process_run}`);
  return Array.from(runs.values(), (ofRun) => {
    const starts = ofRun.filter((fact) => fact.kind === 'start');
    const entries = starts.map((start) => entryOf(start.started_at, start.op_name));
    const times = ofRun.map((fact) => (fact.kind === 'start' ? fact.started_at : fact.ended_at));
    return {
      ...emptyRow(ofRun[0]?.project_id ?? '', ofRun[0]?.process_run ?? ''),
      entry: entries.reduce((one, other) => (other < one ? other : one), NO_ENTRY),
      first: starts.length === 0 ? NO_TIME : starts.reduce((one, start) => Math.min(one, start.started_at), Infinity),
      last: times.reduce((one, other) => Math.max(one, other), -Infinity),
    };
  });
}

function isOfRun(fact: { readonly kind: string; readonly process_run?: string | undefined }): fact is RunFact {
  return (fact.kind === 'start' || fact.kind === 'end') && fact.process_run !== undefined;
}

function entryOf(startedAt: number, opName: string): string {
  const op = opNameOf(opName);
  return `${String(BigInt(startedAt) + SHIFT).padStart(ENTRY_TIME, '0')}${op.isWellFormed() ? op : op.toWellFormed()}`;
}
