import { statSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '@clickhouse/client';
import { newDatabaseOn, startShim } from '../test/clickhouse/engine-process.ts';
import { makeHome, type ServiceProcess, startServiceProcess } from '../test/flow/service-process.ts';
import { measureExport } from './service/export.ts';
import { ingest } from './service/load.ts';
import { measureQueries } from './service/queries.ts';
import { measureSearch } from './service/search.ts';
import type { Sample } from './rounds.ts';

/**
 * What `spoor serve` takes in and answers on SQLite and on ClickHouse, one after the other in one run, through HTTP. ClickHouse is the
 * server that `SPOOR_TEST_CLICKHOUSE_URL` names, else chDB on this machine (`npm ci` in test/clickhouse), which shares its cores.
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
  const ingestCallsPerSec = await ingest(service, { calls: plan.calls });
  const queries = await measureQueries(service, plan);
  const searches = await measureSearch(service, plan);
  const { callsPerSec, growthMb } = await measureExport(service, plan.calls);
  return {
    ingestCallsPerSec,
    ...queries,
    ...searches,
    exportCallsPerSec: callsPerSec ?? Number.NaN,
    exportGrowthMb: growthMb ?? Number.NaN,
  };
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
    for (const table of ['calls', 'call_keys', 'trace_time', 'call_halves'])
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

function print(): void {
  const lines = Object.keys(figures.sqlite).map(
    (name) => `| ${name} | ${shown(figures.sqlite[name])} | ${shown(figures.clickhouse[name])} |`,
  );
  const head = `${plan.calls} calls of 1 KB, Node ${process.versions.node}`;
  console.log([head, '', '| What | SQLite | ClickHouse |', '|---|---|---|', ...lines].join('\n'));
}

function shown(figure: number | undefined): string {
  if (figure === undefined) return '';
  return figure >= 100 ? Math.round(figure).toLocaleString('en') : figure.toPrecision(3);
}
