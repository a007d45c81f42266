import { type AwayResult, runAway } from '../../test/load/away-run.ts';
import { type Outcome, rowOf } from '../rounds.ts';

/** Nobody listens while a program makes calls of a kilobyte as fast as it can. What it drops it has to count. */
export async function runAwayForLong(calls: number): Promise<Outcome> {
  const { counts, queuedBytes, spoolBytes, rssGrowthMb, delayP99Ms, delayMaxMs, exitMs } = await runAway({
    absence: 'refuses',
    way: 'end',
    calls,
  });
  const figures = {
    queuedMb: queuedBytes / 1e6,
    spoolMb: spoolBytes / 1e6,
    rssMb: rssGrowthMb,
    uncounted: uncountedOf(calls, counts),
    droppedShare: counts.dropped / counts.recorded,
    delayP99Ms,
    delayMaxMs,
    exitMs,
  };
  return { rows: [rowOf('away', 'spoor', calls, [figures])], skipped: [] };
}

/** Calls have two records each. What was counted twice does not make up for what is missing. */
export function uncountedOf(calls: number, { recorded, queued, sent, spooled, dropped }: AwayResult['counts']): number {
  return Math.abs(2 * calls - recorded) + Math.abs(recorded - (queued + sent + spooled + dropped));
}
