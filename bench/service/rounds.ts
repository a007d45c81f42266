import { existsSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { makeHome, type ServiceProcess, startServiceProcess } from '../../test/flow/service-process.ts';
import { measure, type Target } from '../measure.ts';
import type { ServicePlan } from '../plan.ts';
import { type Outcome, rowOf, type Sample } from '../rounds.ts';
import { measureExport } from './export.ts';
import { ingest, post, PROJECT } from './load.ts';
import { measureMixed } from './mixed.ts';
import { measureQueries } from './queries.ts';
import { measureSearch } from './search.ts';

const DELIVERY_LIMIT_MS = 60_000;

const LARGE_CHARS = 8000;

/** What `spoor serve` takes in and answers, each round with new ones on empty data. */
export async function runService(plan: ServicePlan): Promise<Outcome> {
  const samples: Record<string, Sample[]> = {};
  const keep = (workload: string, sample: Sample) => (samples[workload] ??= []).push(sample);
  for (let round = 0; round < plan.rounds; round++) {
    keep('delivered', await withService((service) => deliver(service, plan.delivered)));
    await withService((service, started) => measureStored(service, started, plan, keep));
    const { large } = plan.more ?? {};
    if (large !== undefined) keep('ingest-large', await withService((service) => takeInLarge(service, large)));
  }
  const callsOf = (workload: string) => {
    if (workload === 'delivered') return plan.delivered;
    return workload === 'ingest-large' ? (plan.more?.large ?? 0) : plan.ingested;
  };
  const rows = Object.entries(samples).map(([workload, of]) => rowOf(workload, 'spoor', callsOf(workload), of));
  return { rows, skipped: [] };
}

/** Many calls are taken in, and asked for in the order of what changes least. */
async function measureStored(
  service: ServiceProcess,
  started: Sample,
  { ingested, queries, more }: ServicePlan,
  keep: (workload: string, sample: Sample) => void,
): Promise<void> {
  const callsPerSec = await ingest(service, { calls: ingested });
  const lost = ingested - (await countCalls(service));
  keep('ingest', { callsPerSec, lost, ...started, ...memoryOf(service, 'loadedRssMb', 'VmHWM') });
  keep('queries', await measureQueries(service, { calls: ingested, queries }));
  if (more === undefined) return;
  keep('search', await measureSearch(service, { calls: ingested, searches: more.searches }));
  if (process.platform === 'linux') keep('export', await measureExport(service, ingested));
  keep('mixed', await measureMixed(service, { stored: ingested, forMs: more.mixedMs }));
}

async function takeInLarge(service: ServiceProcess, calls: number): Promise<Sample> {
  const callsPerSec = await ingest(service, { calls, inputChars: LARGE_CHARS });
  const lost = calls - (await countCalls(service));
  return { callsPerSec, lost, ...memoryOf(service, 'loadedRssMb', 'VmHWM') };
}

/** Starts a service on empty data and stops it afterwards. */
async function withService<T>(use: (service: ServiceProcess, started: Sample) => Promise<T>): Promise<T> {
  const { home, remove } = makeHome();
  const startedAt = performance.now();
  const service = await startServiceProcess(home);
  const readyMs = performance.now() - startedAt;
  try {
    return await use(service, { readyMs, ...memoryOf(service, 'idleRssMb', 'VmRSS') });
  } finally {
    await service.stop();
    remove();
  }
}

/** Calls of a kilobyte, recorded by the library in a program of its own and counted in the service. */
async function deliver(service: Target, calls: number): Promise<Sample> {
  const section = { workload: 'kilobyte', program: 'loop', calls, limitMs: DELIVERY_LIMIT_MS } as const;
  const measured = await measure(section, 'spoor', service);
  if ('skipped' in measured) throw new Error(`Cannot measure delivery to the service: ${measured.skipped}`);
  const { callsPerSec = Number.NaN, cpuUs = Number.NaN } = measured.figures;
  return { callsPerSec, cpuUs, lost: measured.calls - (await countCalls(service)) };
}

async function countCalls(service: Target): Promise<number> {
  const agent = new Agent();
  const answer = await post(service, agent, '/calls/query_stats', JSON.stringify({ project_id: PROJECT }));
  return (JSON.parse(answer) as { count: number }).count;
}

/** What Linux says of the memory of the process; nothing elsewhere. */
function memoryOf({ child }: ServiceProcess, figure: string, line: string): Sample {
  const file = `/proc/${child.pid}/status`;
  if (!existsSync(file)) return {};
  const kilobytes = new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(file, 'utf8'))?.[1];
  return { [figure]: Number(kilobytes) / 1000 };
}
