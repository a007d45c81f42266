import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { contentOf, exported, fill, type Place, startPlace } from '../../cli/commands/archived.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { buildOnce } from '../../build.ts';
import { runCli } from '../service-process.ts';

const bench = useClickhouse();

beforeAll(buildOnce, 120_000);

async function startOnClickhouse(): Promise<Place> {
  return await startPlace({ SPOOR_STORAGE: 'clickhouse', SPOOR_STORAGE_URL: await bench.newDatabase() });
}

async function imported({ home }: Place, file: string): Promise<unknown> {
  const { code, stdout, stderr } = await runCli(home, 'import', file, '--json');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
}

describe.skipIf(MISSING !== undefined)('a store that moves between SQLite and ClickHouse', () => {
  test('is the same there, and the same when it comes back', async () => {
    const [old, large, back] = [await startPlace(), await startOnClickhouse(), await startPlace()];
    await fill(old);
    const file = await exported(old, 'old.jsonl');
    expect(await imported(large, file)).toMatchObject({ calls: 1201, compared: 1210 });
    const copy = await exported(large, 'large.jsonl');
    expect(contentOf(copy)).toEqual(contentOf(file));
    expect(await imported(back, copy)).toMatchObject({ calls: 1201, compared: 1210 });
    expect(contentOf(await exported(back, 'back.jsonl'))).toEqual(contentOf(file));
  });

  test('goes on where an import was broken off, and twice is once', async () => {
    const [old, large] = [await startPlace(), await startOnClickhouse()];
    await fill(old);
    const file = await exported(old, 'old.jsonl');
    const bytes = readFileSync(file);
    truncateSync(file, Math.floor(bytes.length / 2));
    expect(await runCli(large.home, 'import', file)).toMatchObject({ code: 1, stdout: '' });
    writeFileSync(file, bytes);
    const { resumedAt } = (await imported(large, file)) as { resumedAt: number };
    expect(resumedAt).toBeGreaterThan(0);
    expect(await imported(large, file)).toMatchObject({ calls: 1201, resumedAt: 0 });
    expect(contentOf(await exported(large, 'large.jsonl'))).toEqual(contentOf(file));
  });
});
