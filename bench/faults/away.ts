import { runAway } from '../../test/load/away-run.ts';
import { type Outcome, rowOf } from '../rounds.ts';

/** Nobody listens while a program makes calls of a kilobyte as fast as it can. What it drops it has to count. */
export async function runAwayForLong(calls: number): Promise<Outcome> {
  const { counts, queuedBytes, spoolBytes, rssGrowthMb, delayP99Ms, delayMaxMs, exitMs } = await runAway({
    absence: 'refuses',
    way: 'end',
    calls,
  });
  const { recorded, queued, sent, spooled, dropped } = counts;
  const figures = {
    queuedMb: queuedBytes / 1e6,
    spoolMb: spoolBytes / 1e6,
    rssMb: rssGrowthMb,
    uncounted: 2 * calls - (queued + sent + spooled + dropped) + Math.abs(2 * calls - recorded),
    droppedShare: dropped / recorded,
    delayP99Ms,
    delayMaxMs,
    exitMs,
  };
  return { rows: [rowOf('away', 'spoor', calls, [figures])], skipped: [] };
}
