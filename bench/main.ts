import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { nodeOfMajor } from '../test/node-version.ts';
import { faultJobs, type Job } from './faults/jobs.ts';
import { machineOf } from './machine.ts';
import { planOf } from './plan.ts';
import type { Results, Size } from './results.ts';
import { type Outcome, runSection } from './rounds.ts';
import { runService } from './service/rounds.ts';
import { type SinkState, startSink } from './sink-process.ts';
import { summaryOf } from './summary.ts';
import { mainTable, textOf, workloadTable } from './tables.ts';
import { WORKLOADS } from './page-tables.ts';

/*
 * `npm run bench` measures everything and stores it. `-- --quick` measures the main table with what a plain install has.
 * `-- --short` runs everything with few calls. `-- --only burst,outage,service` leaves other workloads out,
 * shows all libraries on these, and stores nothing.
 * `-- --node 24` measures with another version of Node.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    node: { type: 'string' },
  },
});
const size: Size = values.quick ? 'quick' : values.short ? 'short' : 'full';
const major = Number.parseInt(process.versions.node, 10);

if (values.node !== undefined && Number(values.node) !== major)
  process.exitCode = await runWithNode(Number(values.node));
else await run();

/** The same program, started by another version of Node. */
async function runWithNode(wanted: number): Promise<number> {
  const child = spawn(nodeOfMajor(wanted), [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function run(): Promise<void> {
  const startedAt = performance.now();
  const [load = 0] = loadavg();
  const { rows, skipped } = await measureAll(values.only?.split(','));
  const results: Results = {
    size,
    date: new Date().toISOString().slice(0, 10),
    seconds: Math.round((performance.now() - startedAt) / 1000),
    machine: machineOf(load),
    versions: versions(),
    rows,
    skipped,
  };
  print(results);
  if (size !== 'quick' && values.only === undefined) store(results);
  process.stdout.write(`${JSON.stringify(summaryOf(results))}\n`);
}

async function measureAll(only: readonly string[] | undefined): Promise<Outcome> {
  const { sections, faults, service } = planOf(size);
  const jobs: Job[] = [];
  const sink = await startSink();
  const target = {
    url: sink.url,
    apiKey: 'k'.repeat(40),
    reset: () => sink.reset(),
    be: (state: SinkState) => sink.be(state),
    countCalls: async () => (await sink.counts()).calls,
  };
  for (const section of sections) jobs.push([section.workload, () => runSection(section, target)]);
  if (faults !== undefined) jobs.push(...faultJobs(faults, target));
  jobs.push(['service', () => runService(service)]);
  const outcomes: Outcome[] = [];
  try {
    for (const [workload, job] of jobs.filter(([name]) => isMeant(name, only))) {
      note(workload);
      outcomes.push(await job());
    }
  } finally {
    await sink.stop();
  }
  note('');
  return { rows: outcomes.flatMap(({ rows }) => rows), skipped: outcomes.flatMap(({ skipped }) => skipped) };
}

/** `outage` means all workloads whose names begin with `outage-`, too. */
function isMeant(workload: string, only: readonly string[] | undefined): boolean {
  return only === undefined || only.some((name) => workload === name || workload.startsWith(`${name}-`));
}

/** Which workload is under way, for whoever watches; it goes away. */
function note(workload: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${workload}`);
}

function print(results: Results): void {
  process.stdout.write(`${textOf(mainTable(results))}\n`);
  if (values.only !== undefined) printWorkloads(results);
  for (const { workload, adapter, reason } of results.skipped) {
    process.stdout.write(`skipped: ${adapter} on ${workload}: ${reason}\n`);
  }
  const { cpu, cores, node, load } = results.machine;
  process.stdout.write(`${results.seconds} s on ${cores} × ${cpu}, Node ${node}, load ${load} when it began\n`);
}

/** Who looks at one workload wants to see all libraries. */
function printWorkloads(results: Results): void {
  const isMeasured = (workload: string) => results.rows.some((row) => row.workload === workload);
  for (const [workload, title, figures] of WORKLOADS.filter(([name]) => isMeasured(name))) {
    process.stdout.write(`\n${title}\n${textOf(workloadTable(results, workload, figures))}\n`);
  }
  process.stdout.write('\n');
}

function store(results: Results): void {
  const folder = new URL('results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${major}.json`, folder), `${JSON.stringify(results, undefined, 2)}\n`);
}

function versions(): Record<string, string> {
  const { dependencies } = readJson('package.json') as { dependencies: Record<string, string> };
  const { version } = readJson('../package.json') as { version: string };
  return { spoor: version, ...dependencies };
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
