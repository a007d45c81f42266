import { existsSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { makeHome, type ServiceProcess, startServiceProcess } from '../../test/flow/service-process.ts';
import { measure, type Target } from '../measure.ts';
import type { ServicePlan } from '../plan.ts';
import { type Outcome, rowOf, type Sample } from '../rounds.ts';
import { ingest, post, PROJECT } from './load.ts';
import { measureQueries } from './queries.ts';

const DELIVERY_LIMIT_MS = 60_000;

/** What `spoor serve` takes in and answers, each round with new ones on empty data. */
export async function runService(plan: ServicePlan): Promise<Outcome> {
  const delivered: Sample[] = [];
  const ingested: Sample[] = [];
  const queried: Sample[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    delivered.push(await withService((service) => deliver(service, plan.delivered)));
    await withService(async (service, started) => {
      const callsPerSec = await ingest(service, plan.ingested);
      const lost = plan.ingested - (await countCalls(service));
      ingested.push({ callsPerSec, lost, ...started, ...memoryOf(service, 'loadedRssMb', 'VmHWM') });
      queried.push(await measureQueries(service, { calls: plan.ingested, queries: plan.queries }));
    });
  }
  const rows = [
    rowOf('delivered', 'spoor', plan.delivered, delivered),
    rowOf('ingest', 'spoor', plan.ingested, ingested),
    rowOf('queries', 'spoor', plan.ingested, queried),
  ];
  return { rows, skipped: [] };
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
