import type { Call } from '../protocol/call.ts';
import { shownState, type ShownState } from '../protocol/shown-state.ts';
import { parseDateTime } from '../protocol/values/date-time.ts';
import { isRunningHere } from '../spool/process-here.ts';
import { processOf, statusOf } from './call-row.ts';
import type { TreeItem } from './output/tree.ts';

export { MAX_RUNNING_MS } from '../protocol/shown-state.ts';

export type ShownStatus = ShownState;

/** `now` is in milliseconds since 1970. */
export function shownStatusOf(call: Call, now: number): ShownStatus {
  // To look for its process is of no use where it has an end.
  return statusUnder(call, { now, isGone: call.ended_at === null && isProcessGone(call) === true });
}

/**
 * The shown status of each call of whole traces. A call belongs to the process that the nearest call tells, itself
 * included: outermost calls of a process do, also below a parent in another one.
 */
export function shownStatusesOf(roots: readonly TreeItem<Call>[], now: number): (call: Call) => ShownStatus {
  const gone = new Set<Call>();
  // An explicit stack: a trace may be deeper than the call stack.
  const open = roots.map((item) => ({ item, isAboveGone: false }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: call, children } = next.item;
    const isGone = isProcessGone(call) ?? next.isAboveGone;
    if (isGone) gone.add(call);
    for (const item of children) open.push({ item, isAboveGone: isGone });
  }
  return (call) => statusUnder(call, { now, isGone: gone.has(call) });
}

/** `undefined` when the call tells no process. What runs elsewhere cannot be seen from here. */
function isProcessGone(call: Call): boolean | undefined {
  const recorder = processOf(call);
  return recorder && isRunningHere(recorder) === false;
}

function statusUnder(call: Call, { now, isGone }: { readonly now: number; readonly isGone: boolean }): ShownStatus {
  const startedAt = (parseDateTime(call.started_at) ?? Infinity) / 1000;
  return shownState(statusOf(call), { now, startedAt, isGone });
}
