import { medianOf, type Results, rounded, type Spread } from './results.ts';

/** What one figure of the library is held to: a number, or a multiple of what another one reaches in the same run. */
export interface Goal {
  readonly title: string;
  readonly workload: string;
  readonly figure: string;
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Whose multiple the limit is. */
  readonly of?: string;
}

const ADDED = 'added, µs per call';
const UNTIL_ACKNOWLEDGED = 'CPU until acknowledged, µs per call';
const P95 = 'ms, 95th percentile';

export const GOALS: readonly Goal[] = [
  goal('Small async call', 'small-async', 'addedUs', ADDED, { atMost: 1.3, of: 'upsert-fast' }),
  goal('Small async call', 'small-async', 'addedUs', ADDED, { atMost: 1, of: 'otel-json' }),
  goal('Small async call', 'small-async', 'cpuUs', UNTIL_ACKNOWLEDGED, { atMost: 1.3, of: 'upsert-fast' }),
  goal('Tree of calls', 'tree', 'addedUs', ADDED, { atMost: 1.3, of: 'upsert-fast' }),
  goal('Small sync call', 'small-sync', 'addedUs', ADDED, { atMost: 1.3, of: 'upsert-fast' }),
  goal('8 KB of chat messages', 'chat', 'cpuUs', UNTIL_ACKNOWLEDGED, { atMost: 1.25, of: 'upsert' }),
  goal('8 KB of chat messages', 'chat', 'ownTurnUs', "in the caller's turn, µs per call", { atMost: 0.5, of: 'json' }),
  goal('Generator of 200 chunks', 'generator', 'addedUs', ADDED, { atMost: 1.25, of: 'upsert-fast' }),
  goal('Burst', 'burst', 'callsPerSec', 'calls/s until acknowledged', { atLeast: 0.75, of: 'upsert' }),
  goal('Burst', 'burst', 'lost', 'calls lost', { atMost: 0 }),
  goal('Burst', 'burst', 'peakRssMb', 'peak memory, MB', { atMost: 450 }),
  goal('Burst', 'burst', 'longestStopMs', 'longest stop after it, ms', { atMost: 50 }),
  goal('Import', 'import', 'importMs', 'ms', { atMost: 10 }),
  goal('Import', 'import', 'rssMb', 'memory, MB', { atMost: 6 }),
  goal('Recorded, delivered, stored', 'delivered', 'callsPerSec', 'calls/s of 1 KB', { atLeast: 15_000 }),
  goal('Recorded, delivered, stored', 'delivered', 'lost', 'calls lost', { atMost: 0 }),
  goal('Service, taking in', 'ingest', 'callsPerSec', 'calls/s of 1 KB', { atLeast: 20_000 }),
  goal('Service, taking in', 'ingest', 'loadedRssMb', 'peak memory, MB', { atMost: 400 }),
  goal('Service, list of 50', 'queries', 'listP95Ms', P95, { atMost: 10 }),
  goal('Service, trace of 200', 'queries', 'traceP95Ms', P95, { atMost: 10 }),
  goal('Service, read by id', 'queries', 'readP95Ms', P95, { atMost: 3 }),
  goal('Service, count by op', 'queries', 'countP95Ms', P95, { atMost: 10 }),
  goal('Service, start', 'ingest', 'readyMs', 'ms to its ready line', { atMost: 450 }),
  goal('Service, idle', 'ingest', 'idleRssMb', 'memory, MB', { atMost: 120 }),
];

function goal(
  title: string,
  workload: string,
  figure: string,
  unit: string,
  limit: Pick<Goal, 'atMost' | 'atLeast' | 'of'>,
): Goal {
  return { title, workload, figure, unit, ...limit };
}

export interface Score {
  readonly goal: Goal;
  readonly own: Spread;
  /** What is compared with the limit: the median, or its ratio to that of the other. */
  readonly value: number;
  readonly isReached: boolean;
}

/** How far the library is; goals that were not measured in this run are left out. */
export function scoresOf(results: Results): Score[] {
  return GOALS.flatMap((each) => {
    const { workload, figure, atMost = Infinity, atLeast = -Infinity, of } = each;
    const own = results.rows.find((row) => row.workload === workload && row.adapter === 'spoor')?.figures[figure];
    const unit = of === undefined ? 1 : medianOf(results, workload, of, figure);
    if (own === undefined || unit === undefined || unit === 0) return [];
    const value = rounded(own.median / unit);
    // Nothing may be lost in any round.
    const compared = figure === 'lost' ? own.max : value;
    return [{ goal: each, own, value, isReached: compared <= atMost && compared >= atLeast }];
  });
}
