import { createClient } from '@clickhouse/client';
import { expect, onTestFinished, test } from 'vitest';
import { Connection, type Row } from '../../../src/storage/clickhouse/connection.ts';
import { GroupWriter } from '../../../src/storage/clickhouse/write/group-writer.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { endFact, NEW_YEAR } from '../../../src/testing/storage/facts.ts';

/** A store that knows the key of every call, and takes what is written. */
class KeptConnection extends Connection {
  readonly asked: string[] = [];

  override async all<Found>({ text }: Sql): Promise<Found[]> {
    this.asked.push(text);
    const key = { id: 'c1', trace_id: 't1', parent_id: null, started_at: NEW_YEAR, ver: '1', is_gone: 0 };
    // The types of rows are those of their statements.
    return text.includes('FROM call_keys') ? [key as Found] : [];
  }

  override async insert(_table: string, _rows: readonly Row[]): Promise<void> {}
}

test('a writer reads the calls of many minutes by as many threads as there are', async () => {
  const connection = new KeptConnection(createClient());
  onTestFinished(() => connection.close());
  await new GroupWriter(connection).write([endFact('c1')]);
  const ofRows = connection.asked.filter((text) => text.includes('PREWHERE'));
  expect(ofRows).toHaveLength(1);
  expect(ofRows[0]).not.toContain('max_threads');
});
