import { medianOf, type Results, rounded, type Spread } from './results.ts';

/** A figure of a workload that the library is held to, beside that of a floor. */
interface Measure {
  readonly title: string;
  readonly workload: string;
  readonly figure: string;
  readonly unit: string;
  /** Adapters that the library is compared with. */
  readonly beside: readonly string[];
  /** What is to be reached, for people. */
  readonly target: string;
}

const added = 'added, µs per call';
const untilAcknowledged = 'CPU until acknowledged, µs per call';

const MEASURES: readonly Measure[] = [
  measure('Small async call', 'small-async', 'addedUs', added, ['upsert-fast', 'otel-json'], '≤ 1.3 × upsert-fast'),
  measure(
    'Small async call',
    'small-async',
    'cpuUs',
    untilAcknowledged,
    ['upsert-fast', 'otel-json'],
    '≤ 1.3 × upsert-fast',
  ),
  measure('Tree of calls', 'tree', 'addedUs', added, ['upsert-fast', 'otel-json'], '≤ 1.3 × upsert-fast'),
  measure('Small sync call', 'small-sync', 'addedUs', added, ['upsert-fast', 'otel-json'], '≤ 1.3 × upsert-fast'),
  measure('8 KB of chat messages', 'chat', 'cpuUs', untilAcknowledged, ['upsert', 'otel-json'], '≤ 1.25 × upsert'),
  measure('8 KB of chat messages', 'chat', 'ownTurnUs', "in the caller's turn, µs per call", ['json'], '≤ 0.5 × json'),
  measure(
    'Generator of 200 chunks',
    'generator',
    'addedUs',
    added,
    ['upsert-fast', 'otel-json'],
    '≤ 1.25 × upsert-fast',
  ),
  measure(
    'Burst of 100,000 calls',
    'burst',
    'callsPerSec',
    'calls/s until acknowledged',
    ['upsert', 'otel-json'],
    '≥ 0.75 × upsert',
  ),
  measure('Burst of 100,000 calls', 'burst', 'lost', 'calls lost', ['otel-json'], '0'),
  measure('Burst of 100,000 calls', 'burst', 'peakRssMb', 'peak memory, MB', ['upsert', 'otel-json'], '≤ 450'),
  measure(
    'Burst of 100,000 calls',
    'burst',
    'longestStopMs',
    'longest stop after it, ms',
    ['upsert', 'otel-json'],
    '≤ 50',
  ),
  measure('Import', 'import', 'importMs', 'ms', ['otel-json'], '≤ 10'),
  measure('Import', 'import', 'rssMb', 'memory, MB', ['otel-json'], '≤ 6'),
  measure('Recorded, delivered, stored', 'delivered', 'callsPerSec', 'calls/s of 1 KB', [], '≥ 15,000'),
  measure('Service takes in', 'ingest', 'callsPerSec', 'calls/s of 1 KB', [], '≥ 20,000'),
  measure('Service, list of 50', 'queries', 'listP95Ms', 'ms, 95th percentile', [], '≤ 10'),
  measure('Service, trace of 200', 'queries', 'traceP95Ms', 'ms, 95th percentile', [], '≤ 10'),
  measure('Service, read by id', 'queries', 'readP95Ms', 'ms, 95th percentile', [], '≤ 3'),
  measure('Service, count by op', 'queries', 'countP95Ms', 'ms, 95th percentile', [], '≤ 10'),
  measure('Service, start', 'ingest', 'readyMs', 'ms to its ready line', [], '≤ 450'),
  measure('Service, idle', 'ingest', 'idleRssMb', 'memory, MB', [], '≤ 120'),
  measure('Service, taking in', 'ingest', 'loadedRssMb', 'peak memory, MB', [], '≤ 400'),
];

function measure(
  title: string,
  workload: string,
  figure: string,
  unit: string,
  beside: readonly string[],
  target: string,
): Measure {
  return { title, workload, figure, unit, beside, target };
}

export type Table = readonly (readonly string[])[];

/** What the library is held to. */
export function mainTable(results: Results): Table {
  const rows = MEASURES.flatMap(({ title, workload, figure, unit, beside, target }) => {
    const own = spreadOf(results, workload, 'spoor', figure);
    if (own === undefined) return [];
    const ratios = beside.flatMap((adapter) => {
      const other = medianOf(results, workload, adapter, figure);
      return other === undefined || other === 0 ? [] : [`${printed(rounded(own.median / other), 2)} × ${adapter}`];
    });
    return [[title, unit, spreadText(own), ratios.join(', '), target]];
  });
  return [['What', 'Unit', 'Spoor (min–max)', 'Beside', 'To reach'], ...rows];
}

function spreadOf({ rows }: Results, workload: string, adapter: string, figure: string): Spread | undefined {
  return rows.find((row) => row.workload === workload && row.adapter === adapter)?.figures[figure];
}

function spreadText({ min, median, max }: Spread): string {
  return min === max ? printed(median) : `${printed(median)} (${printed(min)}–${printed(max)})`;
}

/** Three digits say all that a measurement repeats. */
function printed(value: number, digits = 3): string {
  const short = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(digits));
  return short.toLocaleString('en-US', { maximumSignificantDigits: 21 });
}
