import { expect, onTestFinished, test, vi } from 'vitest';
import { Connection, type Row } from '../../../src/storage/clickhouse/connection.ts';
import { GroupWriter } from '../../../src/storage/clickhouse/write/group-writer.ts';
import { StartedPlaces } from '../../../src/storage/clickhouse/write/started-places.ts';
import type { ReadOptions } from '../../../src/storage/contract/reads.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { NEW_YEAR, PROJECT, SECOND, startFact } from '../../../src/testing/storage/facts.ts';

const started = (...ids: readonly string[]) =>
  ids.map((id) => ({ projectId: PROJECT, id, startedAt: NEW_YEAR, version: 7n }));

/** A database that knows these times of calls by their keys. */
function databaseOf(keys: Readonly<Record<string, number>> = {}) {
  const asked: string[][] = [];
  const inserted: Row[] = [];
  const told: { failure?: Error; onRead?: () => void } = {};
  const all = async ({ values }: Sql, { signal }: ReadOptions = {}) => {
    signal?.throwIfAborted();
    const ids = JSON.parse(String(values.at(-1))) as string[];
    asked.push(ids);
    told.onRead?.();
    if (told.failure !== undefined) throw told.failure;
    return ids.flatMap((id) => (keys[id] === undefined ? [] : [{ id, started_at: keys[id] }]));
  };
  const insert = async (_table: string, rows: readonly Row[]) => void inserted.push(...rows);
  return { connection: { all, insert } as unknown as Connection, asked, inserted, told };
}

/** Keys of calls that are where they were started. */
const keysOf = (...ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, NEW_YEAR]));

/** A clock that goes on when it is told to. */
function useClock(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}

test('the row of a call whose key is at another time is taken away, no other', async () => {
  const { connection, inserted } = databaseOf({ same: NEW_YEAR + SECOND, lost: NEW_YEAR + 3600 * SECOND });
  const places = new StartedPlaces({ ageMs: 0 });
  places.add(started('same', 'lost', 'unknown'));
  await places.settle(connection);
  expect(inserted).toMatchObject([{ id: 'lost', started_at: NEW_YEAR, ver: '8', is_deleted: 1 }]);
});

test('a start is looked at once, when what came to other services with it is written', async () => {
  const goOn = useClock();
  const { connection, asked } = databaseOf(keysOf('a', 'b'));
  const places = new StartedPlaces();
  places.add(started('a'));
  goOn(9999);
  places.add(started('b'));
  await places.settle(connection);
  expect(asked).toEqual([]);
  goOn(1);
  await places.settle(connection);
  expect(asked).toEqual([['a']]);
  goOn(9999);
  await places.settle(connection);
  await places.settle(connection);
  expect(asked).toEqual([['a'], ['b']]);
});

test('a start whose key is not there yet is looked at until it is, or for half a minute', async () => {
  const goOn = useClock();
  const keys: Record<string, number> = keysOf('a', 'd');
  const { connection, asked, inserted } = databaseOf(keys);
  const places = new StartedPlaces();
  places.add(started('a', 'b', 'c', 'd'));
  goOn(10_000);
  await places.settle(connection);
  // The server has delayed what another service has inserted.
  keys['b'] = NEW_YEAR + 3600 * SECOND;
  goOn(10_000);
  await places.settle(connection);
  expect(asked).toEqual([
    ['a', 'b', 'c', 'd'],
    ['b', 'c'],
  ]);
  expect(inserted).toMatchObject([{ id: 'b', is_deleted: 1 }]);
  for (let look = 0; look < 6; look++) {
    goOn(10_000);
    await places.settle(connection);
  }
  expect(asked.slice(2)).toEqual([['c'], ['c']]);
});

test('where groups are slow a start is looked at later, as groups of other services are slow, too', async () => {
  const goOn = useClock();
  const { connection, asked } = databaseOf(keysOf('a', 'b', 'c'));
  const places = new StartedPlaces();
  places.add(started('a'), 20_000);
  places.add(started('b'), 100);
  goOn(39_999);
  await places.settle(connection);
  expect(asked).toEqual([]);
  goOn(1);
  await places.settle(connection);
  expect(asked).toEqual([['a', 'b']]);
  // Groups have been fast for a minute.
  goOn(20_000);
  places.add(started('c'), 100);
  goOn(10_000);
  await places.settle(connection);
  expect(asked).toEqual([['a', 'b'], ['c']]);
});

test('where no other service is known starts of half a minute are kept for one that comes', async () => {
  const goOn = useClock();
  const { connection, asked } = databaseOf();
  const places = new StartedPlaces();
  places.add(started('a'));
  goOn(10_000);
  places.add(started('b'));
  goOn(20_000);
  places.forgetOld();
  await places.settle(connection);
  expect(asked).toEqual([['b']]);
});

test('the oldest of more than can be held are not looked at', async () => {
  const { connection, asked } = databaseOf();
  const places = new StartedPlaces({ maxStarted: 2, ageMs: 0 });
  places.add(started('a', 'b', 'c'));
  await places.settle(connection);
  expect(asked).toEqual([['b', 'c']]);
});

test('those whose look failed are looked at again, and are no more than can be held', async () => {
  const { connection, asked, told } = databaseOf(keysOf('a', 'b', 'c'));
  const places = new StartedPlaces({ maxStarted: 2, ageMs: 0 });
  places.add(started('a', 'b'));
  told.failure = new Error('away');
  told.onRead = () => places.add(started('c'));
  await expect(places.settle(connection)).rejects.toBe(told.failure);
  delete told.failure;
  delete told.onRead;
  await places.settle(connection);
  expect(asked).toEqual([
    ['a', 'b'],
    ['b', 'c'],
  ]);
});

test('a look that is ended goes on where it was', async () => {
  const ids = Array.from({ length: 12_000 }, (_, index) => `c${index}`);
  const { connection, asked, told } = databaseOf(keysOf(...ids));
  const places = new StartedPlaces({ ageMs: 0 });
  places.add(started(...ids));
  const ending = new AbortController();
  told.onRead = () => asked.length === 2 && ending.abort(new Error('ended'));
  await expect(places.settle(connection, ending.signal)).rejects.toThrow('ended');
  expect(asked.map(({ length }) => length)).toEqual([5000, 5000]);
  await places.settle(connection);
  expect(asked.flat()).toEqual(ids);
});

/** A database in which nothing is stored, and that delays inserts of keys. */
class SlowConnection extends Connection {
  readonly #goOn: (ms: number) => void;

  constructor(goOn: (ms: number) => void) {
    super(undefined as never);
    this.#goOn = goOn;
  }

  override async all<Found>(): Promise<Found[]> {
    return [];
  }

  override async insert(table: string): Promise<void> {
    if (table === 'call_keys') this.#goOn(15_000);
  }
}

test('the time of a start is that of its key, however late that is inserted', async () => {
  const goOn = useClock();
  const { connection, asked } = databaseOf(keysOf('a'));
  const places = new StartedPlaces();
  await new GroupWriter(new SlowConnection(goOn), places).write([startFact('a')]);
  await places.settle(connection);
  goOn(29_999);
  await places.settle(connection);
  expect(asked).toEqual([]);
  goOn(1);
  await places.settle(connection);
  expect(asked).toEqual([['a']]);
});
