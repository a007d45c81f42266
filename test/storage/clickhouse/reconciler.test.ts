import { createClient } from '@clickhouse/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { Connection, type Row } from '../../../src/storage/clickhouse/connection.ts';
import { Leases } from '../../../src/storage/clickhouse/upkeep/lease.ts';
import { Reconciler } from '../../../src/storage/clickhouse/upkeep/reconciler.ts';
import { endHalf } from '../../../src/storage/clickhouse/write/call-rows.ts';
import { CallWriter } from '../../../src/storage/clickhouse/write/call-writer.ts';
import type { ReadOptions } from '../../../src/storage/contract/reads.ts';
import { raw, type Sql } from '../../../src/storage/sql/sql.ts';
import { endFact, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';

const bench = useClickhouse();

const INTERVAL_MS = 10_000;

/** A look for rows that have no key, and one for halves. */
const SETTLES = 'SELECT id, started_at FROM call_keys';
const JOINS = 'FROM call_halves AS h';

/** Counts what it is asked for, and answers some of it with a failure. */
class WatchedConnection extends Connection {
  readonly asked: string[] = [];
  failing: string | undefined;
  /** What happens at each look for halves, as soon as it is answered. */
  onJoin: (() => Promise<void>) | undefined;

  override async all<Found = Row>(sql: Sql, options?: ReadOptions): Promise<Found[]> {
    this.asked.push(sql.text);
    if (this.onJoin !== undefined && sql.text.includes(JOINS)) {
      const rows = await super.all<Found>(sql, options);
      await this.onJoin();
      return rows;
    }
    if (this.failing !== undefined && sql.text.includes(this.failing)) throw new Error(`Not now: ${this.failing}`);
    return await super.all<Found>(sql, options);
  }

  countOf(text: string): number {
    return this.asked.filter((asked) => asked.includes(text)).length;
  }
}

/** A service that looks when it is told to. */
function openService(url: string) {
  const connection = new WatchedConnection(createClient({ url }));
  const writer = new CallWriter(connection, 0);
  const leases = new Leases(connection);
  const reconciler = new Reconciler(connection, writer, leases);
  onTestFinished(async () => {
    await reconciler.close();
    await writer.close();
    await leases.close();
    await connection.close();
  });
  return { connection, writer, reconciler, leases };
}

type Service = ReturnType<typeof openService>;

/** All look, so many times. */
async function look(services: readonly Service[], times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    vi.advanceTimersByTime(INTERVAL_MS);
    for (const { reconciler } of services) await reconciler.look();
  }
}

const settled = (services: readonly Service[]) => services.map(({ connection }) => connection.countOf(SETTLES));

async function newUrl(): Promise<string> {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const url = await bench.newDatabase();
  await (await openClickhouseStorage({ url })).close();
  return url;
}

describe.skipIf(MISSING !== undefined)('what services do for each other', () => {
  test('a service alone looks at none of its calls again', async () => {
    const one = openService(await newUrl());
    for (let time = 0; time < 3; time++) {
      await one.writer.write([startFact(`c${time}`)]);
      await look([one], 2);
    }
    expect(settled([one])).toEqual([0]);
  });

  test('two services look at what each has started, once, also where the other came later', async () => {
    const url = await newUrl();
    const one = openService(url);
    await look([one], 1);
    await one.writer.write([startFact('before')]);
    const services = [one, openService(url)];
    await services[1]?.writer.write([startFact('c1'), startFact('c2')]);
    await look(services, 2);
    expect(settled(services)).toEqual([1, 1]);
    await look(services, 3);
    expect(settled(services)).toEqual([1, 1]);
  });

  test('of three that each know that they are not alone the leader may go', async () => {
    const url = await newUrl();
    const services = [openService(url), openService(url), openService(url)];
    await look(services, 2);
    const [leader, ...others] = services;
    await leader?.reconciler.close();
    await leader?.leases.close();
    await look(others, 6);
    for (const [index, { writer }] of others.entries()) await writer.write([startFact(`c${index}`)]);
    await look(others, 2);
    expect(settled(services)).toEqual([0, 1, 1]);
  });

  test('a service that has gone is known for some time, and then not any more', async () => {
    const url = await newUrl();
    const [one, other] = [openService(url), openService(url)];
    await look([one, other], 2);
    await other.reconciler.close();
    await other.leases.close();
    await one.writer.write([startFact('c1')]);
    await look([one], 1);
    expect(settled([one])).toEqual([1]);
    await look([one], 6);
    await one.writer.write([startFact('c2')]);
    await look([one], 6);
    expect(settled([one])).toEqual([1]);
  });

  test('what one of both works cannot do keeps the other from nothing', async () => {
    const url = await newUrl();
    const [one, other] = [openService(url), openService(url)];
    await look([one, other], 2);
    const { connection, writer, reconciler } = one;
    connection.failing = SETTLES;
    await writer.write([startFact('c1')]);
    // Another service has written it when the start was not there.
    await connection.insert('call_halves', [endHalf(endFact('c1'), null, 1n)]);
    await look([one], 1);
    const ended = await connection.all(raw(`SELECT id FROM calls FINAL WHERE ended_at IS NOT NULL`));
    expect(ended).toEqual([{ id: 'c1' }]);
    await expect(reconciler.check()).rejects.toThrow(SETTLES);
    connection.failing = JOINS;
    const [before = 0] = settled([one]);
    await look([one], 1);
    expect(settled([one])).toEqual([before + 1]);
    await expect(reconciler.check()).rejects.toThrow(JOINS);
    connection.failing = undefined;
    await reconciler.check();
  });

  test('who joins for longer than others are known looks at what it has started meanwhile', async () => {
    const url = await newUrl();
    const [one, other] = [openService(url), openService(url)];
    await look([one, other], 2);
    await leaveHalves(one, 1);
    await one.writer.write([startFact('c1')]);
    one.connection.onJoin = async () => {
      one.connection.onJoin = undefined;
      vi.advanceTimersByTime(4 * INTERVAL_MS);
      // The time of the lease is over; who takes it says no more that it is another one.
      await endLease(one);
      await look([other], 1);
    };
    await look([one], 1);
    expect(settled([one])).toEqual([1]);
  });

  test('who has lost its turn meanwhile joins no more, and knows that it is not alone', async () => {
    const url = await newUrl();
    const [one, other] = [openService(url), openService(url)];
    await leaveHalves(one, 1500);
    await one.writer.write([startFact('c1')]);
    vi.advanceTimersByTime(4 * INTERVAL_MS);
    one.connection.onJoin = async () => {
      one.connection.onJoin = undefined;
      await endLease(one);
      await other.leases.take('reconcile', 3 * INTERVAL_MS);
    };
    await one.reconciler.look();
    expect([one.connection.countOf(JOINS), settled([one])]).toEqual([1, [1]]);
    // The other one goes on.
    await other.reconciler.look();
    const running = await one.connection.all(raw(`SELECT 1 FROM calls FINAL WHERE id != 'c1' AND ended_at IS NULL`));
    expect(running).toEqual([]);
  });

  test('who closes waits for no more than the halves that are being joined', async () => {
    const one = openService(await newUrl());
    await leaveHalves(one, 3500);
    let closing: Promise<void> | undefined;
    one.connection.onJoin = async () => void (closing ??= one.reconciler.close());
    await one.reconciler.look();
    await closing;
    expect(one.connection.countOf(JOINS)).toBe(1);
  });
});

/** Ends beside so many calls: another service has written them when the starts were not there. */
async function leaveHalves({ connection, writer }: Service, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => `half-${index}`);
  await writer.write(ids.map((id) => startFact(id)));
  await connection.insert(
    'call_halves',
    ids.map((id) => endHalf(endFact(id), null, 1n)),
  );
}

async function endLease({ connection }: Service): Promise<void> {
  await connection.command(
    `INSERT INTO leases (name, holder, until, ver) SELECT 'reconcile', 'nobody', 0, max(ver) + 1 FROM leases`,
  );
}
