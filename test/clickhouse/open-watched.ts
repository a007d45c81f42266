import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { onTestFinished } from 'vitest';
import { type ClickhouseStorage, openClickhouseStorage } from '../../src/storage/clickhouse/clickhouse-storage.ts';
import type { Connection } from '../../src/storage/clickhouse/connection.ts';
import type { Bench } from './bench.ts';

export interface Watched<Own extends Connection> {
  readonly storage: ClickhouseStorage;
  /** To the same database, for parts of the engine that a test makes itself. */
  readonly connection: Own;
}

/** A storage in a database of its own, and beside it a connection that sees, or holds up, what is asked; closed with the test. */
export async function openWatched<Own extends Connection>(
  bench: Bench,
  Watching: new (client: ClickHouseClient) => Own,
): Promise<Watched<Own>> {
  const url = await bench.newDatabase();
  const storage = await openClickhouseStorage({ url, groupMs: 0 });
  const connection = new Watching(createClient({ url }));
  onTestFinished(async () => {
    await storage.close();
    await connection.close();
  });
  return { storage, connection };
}
