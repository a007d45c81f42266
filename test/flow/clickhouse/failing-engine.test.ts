import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { IS_INSTALLED, startEngine, useClickhouse } from '../../clickhouse/bench.ts';
import { openLine } from '../../clickhouse/line.ts';
import { createReader, type Reader } from '../../../src/reader/reader.ts';
import { createServer, type SpoorServer } from '../../../src/server/create-server.ts';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { makeHome } from '../service-process.ts';
import { canMount, fillDisk, mountDisk, unmountDisk } from '../small-disk.ts';
import { endedCall } from './ended-call.ts';

const bench = useClickhouse();
const PROJECT = 'acme/demo';

/** Longer with `SPOOR_TEST_AWAY_MS`. */
const AWAY_MS = Number(process.env['SPOOR_TEST_AWAY_MS'] ?? 500);

const DISK_MB = 64;

interface Started {
  readonly server: SpoorServer;
  /** Asks once. */
  readonly reader: Reader;
  /** Asks again for as long as it takes. */
  readonly patient: Reader;
}

async function startOn(storageUrl: string): Promise<Started> {
  const server = await createServer({ storage: 'clickhouse', storageUrl, port: 0, apiKey: 'k', logLevel: 'silent' });
  onTestFinished(async () => await server.close());
  const readerOf = (retries: number) => createReader({ url: server.url, apiKey: 'k', project: PROJECT, retries });
  return { server, reader: readerOf(0), patient: readerOf(1000) };
}

const itemsOf = (id: string) => endedCall(PROJECT, id);

async function idsOf(reader: Reader): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of reader.calls.query({ columns: ['id'] })) ids.push(id);
  return ids.toSorted();
}

async function health({ url }: SpoorServer): Promise<number> {
  return (await fetch(`${url}/health`, { headers: { authorization: 'Bearer k' } })).status;
}

describe.skipIf(!IS_INSTALLED)('a service whose engine fails under it', () => {
  test('an engine that is killed and comes back has what was answered, and what waited comes in', async () => {
    const { home, remove } = makeHome();
    onTestFinished(remove);
    const engine = await startEngine(join(home, 'engine'));
    const { server, reader, patient } = await startOn(engine.url);
    const answered: string[] = [];
    const writing = [0, 1, 2, 3].map(async (writer) => {
      for (let batch = 0; ; batch++) {
        const id = `w${writer}-${String(batch).padStart(5, '0')}`;
        try {
          await reader.calls.write(itemsOf(id));
        } catch (error) {
          return { id, error };
        }
        answered.push(id);
      }
    });
    while (answered.length < 8) await setTimeout(5);
    await engine.kill();
    const waiting = await Promise.all(writing);
    for (const { error } of waiting) expect(error).toMatchObject({ code: 'unavailable' });
    expect(await health(server)).toBe(503);
    const sentAgain = patient.calls.write(waiting.flatMap(({ id }) => itemsOf(id)));
    await setTimeout(AWAY_MS);
    await engine.startAgain();
    await sentAgain;
    expect(await health(server)).toBe(200);
    expect(await idsOf(reader)).toEqual([...answered, ...waiting.map(({ id }) => id)].toSorted());
  });

  test.runIf(canMount)('a full disk refuses what is written, not what is read, until there is room', async () => {
    const { home, remove } = makeHome();
    onTestFinished(remove);
    const disk = join(home, 'disk');
    mountDisk(disk, DISK_MB);
    onTestFinished(() => unmountDisk(disk));
    const engine = await startEngine(join(disk, 'engine'));
    const { server, reader } = await startOn(engine.url);
    await reader.calls.write(itemsOf('before'));
    fillDisk(join(disk, 'filling'));
    await expect(reader.calls.write(itemsOf('full'))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Cannot use ClickHouse: ') as string,
    });
    expect(await reader.calls.get('before')).toMatchObject({ output: 'before' });
    rmSync(join(disk, 'filling'));
    await reader.calls.write(itemsOf('full'));
    expect(await health(server)).toBe(200);
    expect(await idsOf(reader)).toEqual(['before', 'full']);
  });
});

describe.skipIf(!IS_INSTALLED)('a service whose engine is slow', () => {
  test('answers when it does, and loses nothing', async () => {
    const line = await openLine(await bench.newDatabase());
    const { server, reader } = await startOn(line.url);
    line.slowDown(300);
    const ids = Array.from({ length: 20 }, (_, index) => `c${String(index).padStart(2, '0')}`);
    await Promise.all(ids.map(async (id) => await reader.calls.write(itemsOf(id))));
    expect(await health(server)).toBe(200);
    await line.mend();
    expect(await idsOf(reader)).toEqual(ids);
  });
});

const MEBIBYTE = 1024 ** 2;

describe.skipIf(!IS_INSTALLED)('a service whose engine has no memory for a read', () => {
  test('refuses that one, and goes on', async () => {
    const storage = await openClickhouseStorage({
      url: await bench.newDatabase(),
      groupMs: 0,
      maxMemoryBytes: 8 * MEBIBYTE,
    });
    onTestFinished(async () => await storage.close());
    const server = await createServer({ storage, port: 0, apiKey: 'k', logLevel: 'silent' });
    onTestFinished(async () => await server.close());
    const reader = createReader({ url: server.url, apiKey: 'k', project: PROJECT, retries: 0 });
    const ids = Array.from({ length: 8 }, (_, index) => `c${index}`);
    for (const id of ids) await reader.calls.write(endedCall(PROJECT, id, id.repeat(MEBIBYTE)));
    const read = async () => {
      for await (const call of reader.calls.query({ columns: ['output'] })) expect(call).toBeUndefined();
    };
    await expect(read()).rejects.toMatchObject({
      code: 'query_timeout',
      message: expect.stringContaining('more memory than it may have') as string,
    });
    expect(await health(server)).toBe(200);
    await reader.calls.write(itemsOf('small'));
    expect(await idsOf(reader)).toEqual([...ids, 'small']);
  });
});
