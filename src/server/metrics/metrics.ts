import type { Gauge, Registry } from 'prom-client';
import { PACKAGE_VERSION } from '../../protocol/version.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { CostCounts } from './cost-counts.ts';
import type { Connections } from '../http/connections.ts';
import type { SpoolDamage } from '../ingest/import-orphaned-segments.ts';
import type { RemovedCounts } from '../retention.ts';
import type { StreamSlots } from '../http/stream-slots.ts';
import { DURATION_BUCKETS, type DurationCount, type Traffic } from './traffic.ts';

/** The sources of the metrics that are shown. */
export interface Measured {
  readonly traffic: Traffic;
  readonly connections: Connections;
  readonly streams: StreamSlots;
  readonly storage: Pick<Storage, 'capabilities' | 'writeQueue'>;
  readonly removed: RemovedCounts;
  readonly spoolDamage: SpoolDamage;
  readonly costCounts: Pick<CostCounts, 'tally'>;
}

interface Sample {
  /** @default the name of the metric */
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric: its samples are taken from our own counters at each scrape. */
interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: (measured: Measured) => readonly Sample[];
}

/** `docs/reference/metrics.md` has a line for each. */
export const METRICS: readonly Metric[] = [
  {
    name: 'spoor_build_info',
    type: 'gauge',
    help: 'Always 1; the labels tell what runs',
    samples: () => [{ labels: { version: PACKAGE_VERSION, node: process.version }, value: 1 }],
  },
  {
    name: 'spoor_http_requests_total',
    type: 'counter',
    help: 'Requests that are over, by pattern of the route, method and status',
    samples: ({ traffic }) =>
      [...traffic.requests].map(({ endpoint, method, status, count }) => ({
        labels: { endpoint, method, status },
        value: count,
      })),
  },
  {
    name: 'spoor_http_request_duration_seconds',
    type: 'histogram',
    help: 'Time from the head of a request to the end of its answer, by pattern of the route and method',
    samples: ({ traffic }) => [...traffic.durations].flatMap(bucketsOf),
  },
  {
    name: 'spoor_http_requests_in_flight',
    type: 'gauge',
    help: 'Requests that have come and are not answered',
    samples: ({ traffic }) => [{ value: traffic.inFlight }],
  },
  {
    name: 'spoor_http_errors_total',
    type: 'counter',
    help: 'Requests that were refused or failed, by error code',
    samples: ({ traffic }) => [...traffic.errors].map(([code, value]) => ({ labels: { error_code: code }, value })),
  },
  {
    name: 'spoor_http_connections',
    type: 'gauge',
    help: 'Connections of clients that are open',
    samples: ({ connections }) => [{ value: connections.size }],
  },
  {
    name: 'spoor_http_received_bytes_total',
    type: 'counter',
    help: 'Bytes that came over connections, with headers and as they were packed',
    samples: ({ connections }) => [{ value: connections.bytes.read }],
  },
  {
    name: 'spoor_http_sent_bytes_total',
    type: 'counter',
    help: 'Bytes that went over connections, with headers and as they were packed',
    samples: ({ connections }) => [{ value: connections.bytes.written }],
  },
  {
    name: 'spoor_streams',
    type: 'gauge',
    help: 'Streams that are being read',
    samples: ({ streams }) => [{ value: streams.size }],
  },
  {
    name: 'spoor_streams_total',
    type: 'counter',
    help: 'Streams that were opened',
    samples: ({ streams }) => [{ value: streams.openedCount }],
  },
  {
    name: 'spoor_write_queue_requests',
    type: 'gauge',
    help: 'Writes that wait for their commit',
    samples: ({ storage }) => queued(storage.writeQueue?.().waitingCount),
  },
  {
    name: 'spoor_write_queue_bytes',
    type: 'gauge',
    help: 'About how much memory the writes take that wait for their commit',
    samples: ({ storage }) => queued(storage.writeQueue?.().waitingBytes),
  },
  {
    name: 'spoor_writes_total',
    type: 'counter',
    help: 'Writes that were committed or refused by the storage',
    samples: ({ storage }) => queued(storage.writeQueue?.().writtenCount),
  },
  {
    name: 'spoor_write_groups_total',
    type: 'counter',
    help: 'Groups of writes that were committed together; writes by groups is how many share a commit',
    samples: ({ storage }) => queued(storage.writeQueue?.().groupCount),
  },
  {
    name: 'spoor_retention_removed_traces_total',
    type: 'counter',
    help: 'Traces that were removed because they were old or too much',
    samples: ({ removed }) => [{ value: removed.traces }],
  },
  {
    name: 'spoor_retention_removed_calls_total',
    type: 'counter',
    help: 'Calls that were removed with them',
    samples: ({ removed }) => [{ value: removed.calls }],
  },
  {
    name: 'spoor_spool_damaged_segments_total',
    type: 'counter',
    help: 'Files of records that programs left on disk, were damaged there and are kept aside',
    samples: ({ spoolDamage }) => [{ value: spoolDamage.segments }],
  },
  {
    name: 'spoor_spool_damaged_records_total',
    type: 'counter',
    help: 'Lines of them that could not be read; the others were taken in',
    samples: ({ spoolDamage }) => [{ value: spoolDamage.records }],
  },
  {
    name: 'spoor_cost_total',
    type: 'counter',
    help: 'What traces have cost that ended, by provider and model of the price list and currency',
    samples: ({ costCounts }) =>
      [...costCounts.tally.sums].map(({ amount, ...labels }) => ({ labels: { ...labels }, value: amount })),
  },
  {
    name: 'spoor_unpriced_tokens_total',
    type: 'counter',
    help: 'Tokens of models that have no price, which the costs are without',
    samples: ({ costCounts }) => [{ value: costCounts.tally.unpricedTokens }],
  },
  {
    name: 'spoor_cost_uncounted_calls_total',
    type: 'counter',
    help: 'Calls that the costs are without or not whole in: too many at once, in one trace or of one call, or not to be read',
    samples: ({ costCounts }) => [{ value: costCounts.tally.uncountedCalls }],
  },
];

/** Makes the text of `/metrics`; what it takes is loaded when it is first asked for. */
export async function openMetrics(measured: Measured): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of METRICS) registry.registerMetric(toPrometheus(metric, measured));
  return registry;
}

/** No samples where the engine cannot tell. */
function queued(value: number | undefined): Sample[] {
  return value === undefined ? [] : [{ value }];
}

function bucketsOf({ method, endpoint, counts, seconds }: DurationCount): Sample[] {
  const labels = { endpoint, method };
  const name = 'spoor_http_request_duration_seconds';
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return {
      name: `${name}_bucket`,
      labels: { ...labels, le: String(DURATION_BUCKETS[index] ?? '+Inf') },
      value: total,
    };
  });
  return [...buckets, { name: `${name}_sum`, labels, value: seconds }, { name: `${name}_count`, labels, value: total }];
}

function toPrometheus({ name, type, help, samples }: Metric, measured: Measured): Gauge {
  const get = async () => ({
    name,
    help,
    type,
    values: samples(measured).map(({ name: metricName = name, labels = {}, value }) => ({ metricName, labels, value })),
  });
  // docs/decisions/0042-metrics-are-read-when-asked-for.md: a registry asks nothing else of a metric.
  return { name, help, get } as unknown as Gauge;
}
