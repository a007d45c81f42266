import { createClient } from '@clickhouse/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ClickhouseObjects } from '../../../src/storage/clickhouse/clickhouse-objects.ts';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { Connection, type Row } from '../../../src/storage/clickhouse/connection.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { NEW_YEAR, newObject, PROJECT } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';

const bench = useClickhouse();

const first = newObject('first');
const second = newObject('second', { created_at: NEW_YEAR + 10 });

describe.skipIf(MISSING !== undefined)('one version that two services publish at one moment', () => {
  test('is one for all who read', async () => {
    const { storages } = await openTwins();
    for (const storage of storages) {
      expect(await versionsOf(storage)).toEqual([
        { digest: first.digest, version_index: 0, is_latest: true, created_at: NEW_YEAR },
      ]);
      expect(await storage.objects.get(PROJECT, 'settings', 'v0')).toMatchObject({ val: first.val });
      expect(await storage.objects.get(PROJECT, 'settings', 'v1')).toBeUndefined();
    }
    const [one, other] = storages;
    await one.objects.create(second);
    expect(await versionsOf(other)).toMatchObject([
      { digest: first.digest, version_index: 0, is_latest: false },
      { digest: second.digest, version_index: 1, is_latest: true },
    ]);
    await other.objects.create(first);
    expect(await versionsOf(one)).toMatchObject([{ is_latest: true }, { is_latest: false }]);
  });

  test('is deleted as one, and published again as another', async () => {
    const { storages } = await openTwins();
    const [one, other] = storages;
    await one.objects.create(second);
    expect(await one.objects.delete(PROJECT, 'settings', ['v0'], NEW_YEAR, 'key')).toHaveLength(1);
    expect(await other.objects.delete(PROJECT, 'settings', ['v0'], NEW_YEAR, 'key')).toHaveLength(1);
    for (const storage of storages) {
      expect(await versionsOf(storage)).toMatchObject([{ digest: second.digest, version_index: 1, is_latest: true }]);
      expect(await storage.objects.get(PROJECT, 'settings', 'v0')).toMatchObject({ val: null, deleted_at: NEW_YEAR });
    }
    await other.objects.create(first);
    expect(await versionsOf(one)).toMatchObject([
      { version_index: 1, is_latest: false },
      { digest: first.digest, version_index: 2, is_latest: true },
    ]);
  });
});

/** Two services on an engine, after both have published a version when none of them saw that of the other. */
async function openTwins(): Promise<{ readonly storages: readonly [Storage, Storage] }> {
  const url = await bench.newDatabase();
  const storages = [
    await openClickhouseStorage({ url, groupMs: 0 }),
    await openClickhouseStorage({ url, groupMs: 0 }),
  ] as const;
  onTestFinished(async () => {
    for (const storage of storages) await storage.close();
  });
  const late = lateConnection(url);
  const published = new ClickhouseObjects(late.connection).create({ ...first, created_at: NEW_YEAR + 5 });
  await late.isReached;
  await storages[0].objects.create(first);
  late.goOn();
  await published;
  return { storages };
}

/** A connection that has read, and inserts when it is told to. */
function lateConnection(url: string) {
  let goOn = () => {};
  let reach = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const isReached = new Promise<void>((resolve) => (reach = resolve));
  class LateConnection extends Connection {
    override async insert(table: string, rows: readonly Row[]): Promise<void> {
      reach();
      await gate;
      await super.insert(table, rows);
    }
  }
  const connection = new LateConnection(createClient({ url }));
  onTestFinished(() => connection.close());
  return { connection, isReached, goOn };
}

async function versionsOf(storage: Storage) {
  const plan = { projectId: PROJECT, latestOnly: false, metadataOnly: true, sort: [], offset: 0 };
  const found = await storage.objects.query(plan);
  return found.map(({ digest, version_index, is_latest, created_at }) => {
    return { digest, version_index, is_latest, created_at };
  });
}
