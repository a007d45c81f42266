import { expect, onTestFinished, test, vi } from 'vitest';
import type { Connection, Row } from '../../../src/storage/clickhouse/connection.ts';
import { StartedPlaces } from '../../../src/storage/clickhouse/write/started-places.ts';
import type { ReadOptions } from '../../../src/storage/contract/reads.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { NEW_YEAR, PROJECT, SECOND } from '../../../src/testing/storage/facts.ts';

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

test('the row of a call whose key is at another time is taken away, no other', async () => {
  const { connection, inserted } = databaseOf({ same: NEW_YEAR + SECOND, lost: NEW_YEAR + 3600 * SECOND });
  const places = new StartedPlaces({ ageMs: 0 });
  places.add(started('same', 'lost', 'unknown'));
  await places.settle(connection);
  expect(inserted).toMatchObject([{ id: 'lost', started_at: NEW_YEAR, ver: '8', is_deleted: 1 }]);
});

test('a start is looked at once, when what came to other services with it is written', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { connection, asked } = databaseOf();
  const places = new StartedPlaces();
  places.add(started('a'));
  vi.advanceTimersByTime(9999);
  places.add(started('b'));
  await places.settle(connection);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1);
  await places.settle(connection);
  expect(asked).toEqual([['a']]);
  vi.advanceTimersByTime(9999);
  await places.settle(connection);
  await places.settle(connection);
  expect(asked).toEqual([['a'], ['b']]);
});

test('where no other service is known starts of half a minute are kept for one that comes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { connection, asked } = databaseOf();
  const places = new StartedPlaces();
  places.add(started('a'));
  vi.advanceTimersByTime(10_000);
  places.add(started('b'));
  vi.advanceTimersByTime(20_000);
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
  const { connection, asked, told } = databaseOf();
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
  const { connection, asked, told } = databaseOf();
  const places = new StartedPlaces({ ageMs: 0 });
  const ids = Array.from({ length: 12_000 }, (_, index) => `c${index}`);
  places.add(started(...ids));
  const ending = new AbortController();
  told.onRead = () => asked.length === 2 && ending.abort(new Error('ended'));
  await expect(places.settle(connection, ending.signal)).rejects.toThrow('ended');
  expect(asked.map(({ length }) => length)).toEqual([5000, 5000]);
  await places.settle(connection);
  expect(asked.flat()).toEqual(ids);
});
