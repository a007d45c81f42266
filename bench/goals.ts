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
  /** Which way of using the library. @default 'spoor' */
  readonly adapter?: string;
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
  goal('Code that is not traced', 'untraced', 'stepNs', 'ns per step', { atMost: 1.1, of: 'als' }),
  ...outage('Receiver answers 503', 'outage-failing'),
  ...outage('Receiver is late', 'outage-late'),
  ...outage('Receiver is away', 'outage-away'),
  ...end('Program ends', 'end-natural'),
  ...end('SIGTERM', 'end-sigterm'),
  ...end('Uncaught error', 'end-error'),
  ...end('process.exit', 'end-exit'),
  goal('kill -9', 'kill', 'lostMs', 'calls lost, those of so many ms', { atMost: 200 }),
  { ...goal('kill -9', 'kill', 'lostMs', 'the same, durability "crash"', { atMost: 10 }), adapter: 'spoor-crash' },
  goal('Nobody listens', 'away', 'queuedMb', 'in the queue at most, MB', { atMost: 67.2 }),
  goal('Nobody listens', 'away', 'spoolMb', 'on disk, MB', { atMost: 100 }),
  goal('Nobody listens', 'away', 'uncounted', 'records neither kept nor counted', { atMost: 0 }),
  goal('Recorded, delivered, stored', 'delivered', 'callsPerSec', 'calls/s of 1 KB', { atLeast: 15_000 }),
  goal('Recorded, delivered, stored', 'delivered', 'lost', 'calls lost', { atMost: 0 }),
  goal('Service, taking in', 'ingest', 'callsPerSec', 'calls/s of 1 KB', { atLeast: 20_000 }),
  goal('Service, taking in', 'ingest', 'loadedRssMb', 'peak memory, MB', { atMost: 400 }),
  goal('Service, written and read', 'mixed', 'callsPerSec', 'calls/s of 1 KB', { atLeast: 4950 }),
  goal('Service, written and read', 'mixed', 'listP95Ms', 'list of 50, ms, 95th percentile', { atMost: 15 }),
  goal('Service, list of 50', 'queries', 'listP95Ms', P95, { atMost: 10 }),
  goal('Service, trace of 200', 'queries', 'traceP95Ms', P95, { atMost: 10 }),
  goal('Service, read by id', 'queries', 'readP95Ms', P95, { atMost: 3 }),
  goal('Service, count by op', 'queries', 'countP95Ms', P95, { atMost: 10 }),
  goal('Service, JSON path', 'search', 'pathMs', 'ms to count in all calls', { atMost: 1000 }),
  goal('Service, substring', 'search', 'substringMs', 'ms to count in all calls', { atMost: 1000 }),
  goal('Service, export', 'export', 'callsPerSec', 'calls/s of 1 KB', { atLeast: 60_000 }),
  goal('Service, export', 'export', 'growthMb', 'memory, growth in MB', { atMost: 50 }),
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

/** At a thousand calls per second. */
function outage(title: string, workload: string): Goal[] {
  return [
    goal(title, workload, 'lost', 'calls lost', { atMost: 0 }),
    goal(title, workload, 'flushMs', 'ms to flush when it is over', { atMost: 1500 }),
    goal(title, workload, 'delayMaxMs', 'longest delay of the event loop, ms', { atMost: 25 }),
    goal(title, workload, 'rssMb', 'memory, growth in MB', { atMost: 40 }),
    goal(title, workload, 'exitMs', 'ms from the flush to the exit', { atMost: 100 }),
  ];
}

/** The round trip on one machine is so short that nothing is added for it. */
function end(title: string, workload: string): Goal[] {
  return [
    goal(title, workload, 'lost', 'calls lost', { atMost: 0 }),
    goal(title, workload, 'exitMs', 'ms from there to the exit', { atMost: 150 }),
    goal(title, workload, 'otherEnd', 'another exit code or signal', { atMost: 0 }),
  ];
}

/** What a goal is called in notes. */
export function nameOf({ workload, figure, of, adapter }: Goal): string {
  return [workload, figure, ...(adapter === undefined ? [] : [adapter]), ...(of === undefined ? [] : [of])].join(' ');
}

/** Nothing of this may happen in any round. */
const IN_NO_ROUND = ['lost', 'lostMs', 'otherEnd', 'uncounted'];

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
    const { workload, figure, atMost = Infinity, atLeast = -Infinity, of, adapter = 'spoor' } = each;
    const own = results.rows.find((row) => row.workload === workload && row.adapter === adapter)?.figures[figure];
    const unit = of === undefined ? 1 : medianOf(results, workload, of, figure);
    if (own === undefined || unit === undefined || unit === 0) return [];
    const value = rounded(own.median / unit);
    const compared = IN_NO_ROUND.includes(figure) ? own.max : value;
    return [{ goal: each, own, value, isReached: compared <= atMost && compared >= atLeast }];
  });
}
