const COST = { addedUs: 'added, µs per call', cpuUs: 'CPU until acknowledged, µs per call', lost: 'lost' };

const OUTAGE = {
  lost: 'lost',
  flushMs: 'ms to flush when it is over',
  delayMaxMs: 'longest delay of the event loop, ms',
  delayP99Ms: 'its 99th percentile, ms',
  rssMb: 'memory, growth in MB',
  exitMs: 'ms from the flush to the exit',
};

const END = { lost: 'lost', exitMs: 'ms from there to the exit', otherEnd: 'rounds with another exit code or signal' };

/** What is shown of each workload, the figure by which rows are ordered first. */
export const WORKLOADS: readonly (readonly [
  workload: string,
  title: string,
  figures: Readonly<Record<string, string>>,
])[] = [
  ['small-async', 'Small async calls, one after the other', COST],
  ['tree', 'Trees of calls, six deep, each call awaiting three at once', COST],
  ['small-sync', 'Small sync calls', COST],
  [
    'chat',
    '8 KB of chat messages',
    {
      cpuUs: 'CPU until acknowledged, µs per call',
      ownTurnUs: "in the caller's turn, µs per call",
      addedUs: 'added, µs per call',
      lost: 'lost',
    },
  ],
  ['generator', 'Async generators of 200 chunks', COST],
  [
    'burst',
    'A burst of calls',
    {
      callsPerSec: 'calls/s until acknowledged',
      lost: 'lost',
      peakRssMb: 'peak memory, MB',
      emitMs: 'making the calls, ms',
      longestStopMs: 'longest stop after that, ms',
    },
  ],
  ['import', 'Import', { importMs: 'ms', rssMb: 'memory, MB' }],
  ['untraced', 'Code that is not traced, after one call that was', { stepNs: 'ns per step, which awaits three times' }],
  ['outage-failing', 'A thousand calls per second while the receiver answers 503', OUTAGE],
  ['outage-late', 'A thousand calls per second while the receiver takes half a second', OUTAGE],
  ['outage-away', 'A thousand calls per second while nobody listens', OUTAGE],
  ['end-natural', 'A thousand calls, and nothing more to do', END],
  ['end-sigterm', 'A thousand calls and SIGTERM', END],
  ['end-error', 'A thousand calls and an error that nobody catches', END],
  ['end-exit', 'A thousand calls and process.exit', END],
  ['kill', 'A thousand calls per second and kill -9', { lostMs: 'calls lost, those of so many ms' }],
  [
    'away',
    'Calls of a kilobyte while nobody listens',
    {
      queuedMb: 'in the queue at most, MB',
      spoolMb: 'on disk, MB',
      rssMb: 'memory, growth in MB',
      droppedShare: 'share of records dropped and counted',
      uncounted: 'records neither kept nor counted',
      delayP99Ms: 'delay of the event loop, ms, 99th percentile',
    },
  ],
  ['ingest', 'Taking in calls of a kilobyte', { callsPerSec: 'calls/s', loadedRssMb: 'peak memory, MB' }],
  ['ingest-large', 'Taking in calls of 8 KB', { callsPerSec: 'calls/s', loadedRssMb: 'peak memory, MB' }],
  [
    'mixed',
    'Lists of 50 while calls are taken in',
    {
      listP50Ms: 'list, ms, median',
      listP95Ms: 'list, ms, 95th percentile',
      callsPerSec: 'calls/s taken in',
      writeP95Ms: 'batch of 500 calls, ms, 95th percentile',
      behindMs: 'latest batch began so many ms late',
    },
  ],
  ['search', 'Searching all calls', { pathMs: 'JSON path, ms', substringMs: 'substring, ms' }],
  [
    'export',
    'Reading all calls as one stream',
    { callsPerSec: 'calls/s', growthMb: 'memory, growth in MB', peakMb: 'peak memory of its own, MB' },
  ],
];
