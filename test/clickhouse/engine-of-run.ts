import { sharedDatabase } from './bench.ts';

/** Variables that start a service on the engine of this run: `npm run test:clickhouse` is on ClickHouse, all others are on SQLite. */
export async function engineOfRun(): Promise<Readonly<Record<string, string>>> {
  if (process.env['TEST_ENGINES'] !== 'clickhouse') return {};
  return { SPOOR_STORAGE: 'clickhouse', SPOOR_STORAGE_URL: await sharedDatabase() };
}
