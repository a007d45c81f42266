import { statSync, readdirSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '@clickhouse/client';
import { newDatabaseOn, startShim } from '../test/clickhouse/engine-process.ts';
import { makeHome, type ServiceProcess, startServiceProcess } from '../test/flow/service-process.ts';
import { measureExport } from './service/export.ts';
import { ingest } from './service/load.ts';
import { askMs, queriesOf, type Query } from './service/queries.ts';
import { searchesIn } from './service/search.ts';
import { usageOfDay, weekBatches } from './service/varied.ts';
import { percentile } from './results.ts';
import type { Sample } from './rounds.ts';

/**
 * What `spoor serve` takes in and answers on SQLite and on ClickHouse, one after the other in one run, through HTTP. ClickHouse is the
 * server that `SPOOR_TEST_CLICKHOUSE_URL` names, else chDB on this machine (`npm ci` in test/clickhouse), which shares its cores.
 *
 * Each line of the table says what it is held to, and whether that is kept.
 *
 *   npm run bench:clickhouse -- --calls 1000000
 */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    queries: { type: 'string', default: '40' },
    searches: { type: 'string', default: '10' },
  },
});
const plan = { calls: Number(values.calls), queries: Number(values.queries), searches: Number(values.searches) };

// The process of the engine keeps nobody awake, as it is one of tests.
const awake = setInterval(() => undefined, 60_000);
const figures = { sqlite: await onSqlite(), clickhouse: await onClickhouse() };
clearInterval(awake);
print();

async function onSqlite(): Promise<Sample> {
  return await withService({}, async (service, home) => ({
    ...(await measureService(service)),
    diskBytesPerCall: bytesIn(join(home, 'data')) / plan.calls,
  }));
}

async function onClickhouse(): Promise<Sample> {
  const given = process.env['SPOOR_TEST_CLICKHOUSE_URL'];
  const shim = given === undefined ? await startShim() : undefined;
  try {
    const { url } = await newDatabaseOn(given ?? shim?.url ?? '');
    const env = { SPOOR_STORAGE: 'clickhouse', SPOOR_STORAGE_URL: url };
    const measured = await withService(env, measureService);
    return { ...measured, diskBytesPerCall: (await bytesOfTables(url)) / plan.calls };
  } finally {
    await shim?.close();
  }
}

async function measureService(service: ServiceProcess): Promise<Sample> {
  const intake = await ingest(service, { calls: plan.calls, inputChars: 780 }, weekBatches(plan));
  const often = [...queriesOf(plan.calls), ...usageOfDay()];
  const queries = await measureAll(service, often, plan.queries);
  const searches = await measureAll(service, searchesIn(plan.calls), plan.searches);
  const { callsPerSec, growthMb } = await measureExport(service, plan.calls);
  return {
    intake,
    ...queries,
    ...searches,
    export: callsPerSec ?? Number.NaN,
    exportGrowth: growthMb ?? Number.NaN,
  };
}

/** The 95th percentile of the milliseconds of each question, over one connection. */
async function measureAll(service: ServiceProcess, queries: readonly Query[], times: number): Promise<Sample> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sample: Record<string, number> = {};
  for (const query of queries) {
    const taken: number[] = [];
    for (let n = 0; n < times; n++) taken.push(await askMs(service, agent, query, n));
    sample[query.figure] = percentile(taken, 0.95);
  }
  agent.destroy();
  return sample;
}

async function withService<T>(
  env: NodeJS.ProcessEnv,
  use: (service: ServiceProcess, home: string) => Promise<T>,
): Promise<T> {
  const { home, remove } = makeHome();
  const service = await startServiceProcess(home, [], { env });
  try {
    return await use(service, home);
  } finally {
    await service.stop();
    remove();
  }
}

/** What the tables take once their parts are merged. */
async function bytesOfTables(url: string): Promise<number> {
  const client = createClient({ url, request_timeout: 600_000 });
  try {
    for (const table of ['calls', 'call_keys', 'trace_spans', 'call_halves'])
      await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
    const query =
      'SELECT toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND database = currentDatabase()';
    const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ bytes: number }>();
    return row?.bytes ?? Number.NaN;
  } finally {
    await client.close();
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

interface Line {
  readonly figure: string;
  readonly title: string;
  /** What ClickHouse is held to; a line without is for comparison. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

function linesOf(calls: number): Line[] {
  const isLarge = calls > 1_000_000;
  return [
    { figure: 'intake', title: 'intake, calls/s', atLeast: 15_000 },
    { figure: 'list', title: 'list of 50, ms', atMost: 80 },
    { figure: 'trace', title: 'trace of 200, ms', atMost: 80 },
    { figure: 'read', title: 'read by id, ms', atMost: 50 },
    { figure: 'count', title: 'count by op, ms' },
    { figure: 'path', title: 'count by JSON path over all, ms', atMost: isLarge ? 5000 : 1000 },
    { figure: 'substring', title: 'count by text over all, ms', atMost: isLarge ? 3000 : 500 },
    { figure: 'dayOfOp', title: 'tokens and cost of an op in 24 h, ms', atMost: 50 },
    { figure: 'dayByOp', title: 'tokens and cost of all in 24 h, with calls by op, ms', atMost: 50 },
    { figure: 'export', title: 'export, calls/s' },
    { figure: 'exportGrowth', title: 'memory of the service that an export adds, MB', atMost: 100 },
    { figure: 'diskBytesPerCall', title: 'disk after merges, bytes a call', atMost: 350 },
  ];
}

function print(): void {
  const rows = linesOf(plan.calls).map((line) => {
    const { sqlite, clickhouse } = figures;
    const cells = [line.title, shown(sqlite[line.figure]), shown(clickhouse[line.figure]), verdict(line)];
    return `| ${cells.join(' | ')} |`;
  });
  const head = `${plan.calls} calls of 1 KB of a week, Node ${process.versions.node}; times are the 95th percentile`;
  console.log(
    [head, '', '| What | SQLite | ClickHouse | Budget of ClickHouse |', '|---|---|---|---|', ...rows].join('\n'),
  );
}

function verdict({ figure, atMost, atLeast }: Line): string {
  const reached = figures.clickhouse[figure] ?? Number.NaN;
  if (atLeast !== undefined) return `≥ ${atLeast.toLocaleString('en')}: ${reached >= atLeast ? 'kept' : 'missed'}`;
  return atMost === undefined ? '' : `≤ ${atMost.toLocaleString('en')}: ${reached <= atMost ? 'kept' : 'missed'}`;
}

function shown(figure: number | undefined): string {
  if (figure === undefined) return '';
  return figure >= 100 ? Math.round(figure).toLocaleString('en') : figure.toPrecision(3);
}
