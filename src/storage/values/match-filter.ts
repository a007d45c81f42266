import type { CallFilterPlan, TextMatch } from '../contract/plan.ts';
import type { VisibleCall } from './call-record.ts';

/** Does a call pass all lists of a filter? */
export function matchesFilter({ start, end }: VisibleCall, filter: CallFilterPlan): boolean {
  return (
    matchesText(filter.opNames, [start.op_name]) &&
    matchesText(filter.inputRefs, start.input_refs) &&
    matchesText(filter.outputRefs, end?.output_refs ?? []) &&
    matchesList(filter.parentIds, start.parent_id) &&
    matchesList(filter.traceIds, start.trace_id) &&
    matchesList(filter.callIds, start.id) &&
    matchesList(filter.threadIds, start.thread_id) &&
    matchesList(filter.turnIds, start.turn_id) &&
    matchesList(filter.userIds, start.svc_user_id) &&
    matchesList(filter.runIds, start.svc_run_id) &&
    (filter.rootsOnly !== true || start.parent_id === null)
  );
}

function matchesList(list: readonly string[] | undefined, value: string | null): boolean {
  return list === undefined || (value !== null && list.includes(value));
}

function matchesText(match: TextMatch | undefined, texts: readonly string[]): boolean {
  if (match === undefined) return true;
  return texts.some((text) => match.values.includes(text) || match.prefixes.some((prefix) => text.startsWith(prefix)));
}
