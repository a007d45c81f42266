import { setImmediate, setTimeout } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Connection, type Row } from '../../../src/storage/clickhouse/connection.ts';
import { failureOfRead } from '../../../src/storage/clickhouse/failure.ts';
import { CallWriter } from '../../../src/storage/clickhouse/write/call-writer.ts';
import { GroupWriter } from '../../../src/storage/clickhouse/write/group-writer.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { endFact, PROJECT, readIds, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';

const bench = useClickhouse();

/** A connection of which one insert into a table fails, when all others of the moment are stored. */
class BreakingConnection extends Connection {
  readonly #others: Promise<void>[] = [];
  #table: string | undefined;

  breakAt(table: string): void {
    this.#table = table;
  }

  override async insert(table: string, rows: readonly Row[]): Promise<void> {
    if (table !== this.#table) {
      const stored = super.insert(table, rows);
      this.#others.push(stored);
      return await stored;
    }
    this.#table = undefined;
    await setImmediate();
    await Promise.all(this.#others);
    throw new Error(`No insert into ${table}`);
  }
}

/** A connection of which inserts into a table fail at once, when another one is still on its way. */
class HastyConnection extends Connection {
  readonly #refused: string;
  readonly #slow: string;
  readonly #slowMs = 50;
  running = 0;

  constructor(refused: string, slow: string) {
    super(createClient());
    this.#refused = refused;
    this.#slow = slow;
  }

  override async all<Found>(): Promise<Found[]> {
    return [];
  }

  override async insert(table: string): Promise<void> {
    if (table === this.#refused) throw new Error(`No insert into ${table}`);
    if (table !== this.#slow) return;
    this.running += 1;
    await setTimeout(this.#slowMs);
    this.running -= 1;
  }
}

test.each([
  ['trace_spans', 'calls'],
  ['call_halves', 'call_keys'],
])('a group that broke at %s ends when its insert into %s has ended', async (refused, slow) => {
  const connection = new HastyConnection(refused, slow);
  onTestFinished(() => connection.close());
  const written = new GroupWriter(connection).write([startFact('c1'), endFact('c2')]);
  await expect(written).rejects.toThrow(`No insert into ${refused}`);
  expect(connection.running).toBe(0);
});

/** A server that has no memory for what a writer must know: by the text of those statements. */
class ForgetfulConnection extends Connection {
  readonly #forgotten: string;
  readonly inserted: string[] = [];

  constructor(forgotten: string) {
    super(createClient());
    this.#forgotten = forgotten;
  }

  override async all<Found>({ text }: Sql): Promise<Found[]> {
    if (!text.includes(this.#forgotten)) return [];
    const cause = Object.assign(new Error('Memory limit exceeded'), { code: '241' });
    throw failureOfRead(cause);
  }

  override async insert(table: string): Promise<void> {
    this.inserted.push(table);
  }
}

test.each(['FROM call_keys', 'max(ver)'])('a write that cannot read %s now is refused for now, whole', async (text) => {
  const connection = new ForgetfulConnection(text);
  onTestFinished(() => connection.close());
  const writer = new CallWriter(connection, 0);
  const written = await Promise.allSettled(
    ['c1', 'c2', 'c3'].map((id) => writer.write([startFact(id), endFact(`${id}-half`)])),
  );
  for (const one of written) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  expect(connection.inserted).toEqual([]);
});

test('a delete that cannot read what it needs now is refused for now', async () => {
  const connection = new ForgetfulConnection('FROM call_keys');
  onTestFinished(() => connection.close());
  const deleted = new CallWriter(connection, 0).delete(PROJECT, ['c1']);
  await expect(deleted).rejects.toMatchObject({ code: 'unavailable' });
});

describe.skipIf(MISSING !== undefined)('groups that end between two of their tables', () => {
  test.each(['calls', 'trace_spans', 'call_keys'])('what broke at %s is whole when it comes again', async (table) => {
    const { storage, connection } = await openWatched(bench, BreakingConnection);
    const groups = new GroupWriter(connection);
    const facts = [startFact('c1', { trace_id: 't1' }), startFact('c2', { trace_id: 't1' })];
    connection.breakAt(table);
    await expect(groups.write(facts)).rejects.toThrow(`No insert into ${table}`);
    await groups.write(facts);
    expect(await readIds(storage, { filter: { trace_ids: ['t1'] } })).toEqual(['c1', 'c2']);
  });
});
