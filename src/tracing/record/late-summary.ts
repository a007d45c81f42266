// docs/decisions/0007-late-children.md says why.
import { setTimeout } from '../../host/timers.ts';
import { reportProblem } from './tracer.ts';

/** An ended call whose sums have changed since its end was written. */
export interface LateSummary {
  writeSummary(): void;
}

/** Long enough for a burst of late children to make one update, short enough for a page that is being watched. */
const UPDATE_DELAY_MS = 100;

let waiting = new Set<LateSummary>();
let isWatchingExit = false;

/** Writes the end of `call` again soon, once for all changes until then. */
export function updateLater(call: LateSummary): void {
  if (waiting.size === 0) setTimeout(writeLateSummaries, UPDATE_DELAY_MS).unref();
  waiting.add(call);
  if (!isWatchingExit) watchExit();
}

/** Before the handler of the client, which delivers what there is at the end. */
function watchExit(): void {
  isWatchingExit = true;
  process.prependListener('exit', writeLateSummaries);
}

export function hasLateSummaries(): boolean {
  return waiting.size > 0;
}

/** Writes what waits now. The client calls this before it flushes. */
export function writeLateSummaries(): void {
  const due = waiting;
  waiting = new Set();
  for (const call of due) {
    try {
      call.writeSummary();
    } catch (error) {
      reportProblem('late_summary', 'Cannot update an ended call', error);
    }
  }
}
