import { describe, expect, onTestFinished, test } from 'vitest';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openLine } from '../../clickhouse/line.ts';
import type { Expression } from '../../../src/protocol/query.ts';
import { createReader, type Reader } from '../../../src/reader/reader.ts';
import { createServer, type ServerOptions, type SpoorServer } from '../../../src/server/create-server.ts';
import { makeKey } from '../../../src/server/keys/keys.ts';
import type { CheckResult } from '../../../src/storage/contract/upkeep.ts';
import { checkDatabase, openKeyStore } from '../../../src/storage/open.ts';

const bench = useClickhouse();
const PROJECT = 'acme/demo';

/** More of them with `SPOOR_TEST_WRITERS`, and more calls of each with `SPOOR_TEST_BATCHES`. */
const WRITERS = Number(process.env['SPOOR_TEST_WRITERS'] ?? 10);
const BATCHES = Number(process.env['SPOOR_TEST_BATCHES'] ?? 4);
const BATCH_CALLS = 50;
const RETRIES = 5;

async function start(storageUrl: string, more: ServerOptions = {}): Promise<SpoorServer> {
  const given = { storage: 'clickhouse', storageUrl, port: 0, apiKey: 'shared-key', logLevel: 'silent' } as const;
  const server = await createServer({ ...given, ...more });
  onTestFinished(async () => await server.close());
  return server;
}

function readerOf({ url, apiKey }: Pick<SpoorServer, 'url' | 'apiKey'>, retries = 0): Reader {
  return createReader({ url, apiKey, project: PROJECT, retries });
}

async function startTwo(): Promise<{ url: string; one: SpoorServer; other: SpoorServer; readers: [Reader, Reader] }> {
  const url = await bench.newDatabase();
  const [one, other] = await Promise.all([start(url), start(url)]);
  return { url, one, other, readers: [readerOf(one), readerOf(other)] };
}

const startOf = (id: string) => ({
  mode: 'start' as const,
  req: {
    start: {
      project_id: PROJECT,
      id,
      op_name: 'f',
      trace_id: `trace-${id}`,
      started_at: '2026-01-01T00:00:00Z',
      attributes: {},
      inputs: { text: `of ${id}` },
    },
  },
});

const endOf = (id: string) => ({
  mode: 'end' as const,
  req: { end: { project_id: PROJECT, id, ended_at: '2026-01-01T00:00:01Z', output: `end of ${id}`, summary: {} } },
});

/** How many calls there are, and how many that have not ended. */
async function counts(reader: Reader): Promise<{ all: number; running: number }> {
  const isRunning: Expression = { $eq: [{ $getField: 'ended_at' }, { $literal: null }] };
  const all = await reader.calls.stats();
  const running = await reader.calls.stats({ query: { $expr: isRunning } });
  return { all: all.count, running: running.count };
}

describe.skipIf(MISSING !== undefined)('two services on one ClickHouse', () => {
  test('a key that is made counts in both at once, and one that is revoked in none any more', async () => {
    const { url, one, other } = await startTwo();
    const keys = await openKeyStore(url);
    onTestFinished(() => keys.close());
    const { key, record } = makeKey({ name: 'ci', entities: ['acme'] });
    const ask = async ({ url: address }: SpoorServer) => {
      const answer = await fetch(`${address}/version`, { headers: { authorization: `Bearer ${key}` } });
      return answer.status;
    };
    expect(await Promise.all([ask(one), ask(other)])).toEqual([401, 401]);
    await keys.store.create(record);
    expect(await Promise.all([ask(one), ask(other)])).toEqual([200, 200]);
    expect(await keys.store.revoke(record.id)).toBe(true);
    await expect.poll(() => Promise.all([ask(one), ask(other)])).toEqual([401, 401]);
  });

  test('what one keeps for a project is there in the other', async () => {
    const { readers } = await startTwo();
    const [one, other] = readers;
    const view = await one.page.views.save({ name: 'slow', query: 'f=latency%3E2s', columns: ['name'] });
    expect(await other.page.views.list()).toMatchObject([{ id: view.id, name: 'slow' }]);
    await other.page.views.delete(view.id);
    expect(await one.page.views.list()).toEqual([]);
    const effective_date = '2025-01-01T00:00:00Z';
    await other.costs.create({ ours: { prompt_token_cost: 3, completion_token_cost: 4, effective_date } });
    expect(await one.costs.query()).toMatchObject([{ llm_id: 'ours', prompt_token_cost: 3 }]);
  });

  test('what one is told to keep is kept by both, and by those that start later', async () => {
    const { url, readers } = await startTwo();
    expect(await readers[1].page.retention()).toEqual({ all: { days: null, bytes: null }, projects: {} });
    await start(url, { retainDays: 30, retainProjects: { [PROJECT]: { bytes: 5000 } } });
    const kept = { all: { days: 30, bytes: null }, projects: { [PROJECT]: { days: null, bytes: 5000 } } };
    for (const reader of [...readers, readerOf(await start(url))]) expect(await reader.page.retention()).toEqual(kept);
    const found: CheckResult[] = [];
    for await (const result of checkDatabase(url)) found.push(result);
    expect(found).toContainEqual({ about: `kept: 30 days; ${PROJECT}: 5,000 bytes` });
  });

  test('calls that start in one and end in the other are whole, whatever comes first, and twice is once', async () => {
    const { readers } = await startTwo();
    const [one, other] = readers;
    const ids = (name: string) => Array.from({ length: 20 }, (_, index) => `${name}${index}`);
    await one.calls.write(ids('a').map(startOf));
    await other.calls.write(ids('a').map(endOf));
    await other.calls.write(ids('b').map(endOf));
    await one.calls.write(ids('b').map(startOf));
    for (const reader of readers) await reader.calls.write([...ids('c').map(startOf), ...ids('c').map(endOf)]);
    for (const reader of readers) expect(await counts(reader)).toEqual({ all: 60, running: 0 });
    expect(await other.calls.get('b7')).toMatchObject({ inputs: { text: 'of b7' }, output: 'end of b7' });
  });

  test('writers side by side lose nothing and double nothing', async () => {
    const started = await startTwo();
    // What a line to the engine loses on a busy machine is refused for now, and clients send it again.
    const [one, other] = [readerOf(started.one, RETRIES), readerOf(started.other, RETRIES)];
    const readers = [one, other];
    const writers = Array.from({ length: WRITERS }, (_, writer) => writer);
    await Promise.all(
      writers.map(async (writer) => {
        for (let batch = 0; batch < BATCHES; batch++) {
          const ids = Array.from({ length: BATCH_CALLS }, (_, index) => `w${writer}-${batch}-${index}`);
          const [first, second] = writer % 2 === 0 ? [one, other] : [other, one];
          // Half of the calls go to both at once, and their ends overtake their starts where they can.
          const starts = first.calls.write(ids.map(startOf));
          const again = second.calls.write(ids.slice(0, 25).map(startOf));
          const ends = second.calls.write(ids.map(endOf));
          await Promise.all([starts, again, ends]);
        }
      }),
    );
    const all = WRITERS * BATCHES * BATCH_CALLS;
    for (const reader of readers) {
      await expect.poll(() => counts(reader), { timeout: 120_000, interval: 1000 }).toEqual({ all, running: 0 });
    }
    const seen: string[] = [];
    for await (const { id } of one.calls.query({ columns: ['id'] })) seen.push(id);
    expect(seen.length).toBe(all);
    expect(new Set(seen).size).toBe(all);
  });
});

describe.skipIf(MISSING !== undefined)('a service whose ClickHouse is away', () => {
  test('says so with a time to come back, and goes on without a restart', async () => {
    const line = await openLine(await bench.newDatabase());
    const server = await start(line.url);
    const reader = readerOf(server);
    await reader.calls.write([startOf('c1')]);
    await line.cut();
    const ask = async (path: string, key: string, body?: unknown) => {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(server.url + path, { ...init, headers });
      return { status: answer.status, wait: answer.headers.get('retry-after'), body: (await answer.json()) as object };
    };
    const batch = { batch: [startOf('c2'), endOf('c1')] };
    for (const [path, body] of [
      ['/health', undefined],
      ['/call/upsert_batch', batch],
      ['/call/read', { project_id: PROJECT, id: 'c1' }],
    ] as const) {
      const answer = await ask(path, 'shared-key', body);
      expect({ path, ...answer }).toMatchObject({
        path,
        status: 503,
        body: { error_code: 'unavailable', reason: expect.stringContaining('Cannot use ClickHouse') as string },
      });
      expect(Number(answer.wait)).toBeGreaterThan(0);
    }
    // A program that is told its key is wrong would give up.
    expect(await ask('/version', 'unknown')).toMatchObject({ status: 503, body: { error_code: 'unavailable' } });
    expect(await ask('/version', 'shared-key')).toMatchObject({ status: 200 });
    await line.mend();
    expect(await ask('/health', 'shared-key')).toMatchObject({ status: 200 });
    await reader.calls.write(batch.batch);
    expect(await counts(reader)).toEqual({ all: 2, running: 1 });
    expect(await ask('/version', 'unknown')).toMatchObject({ status: 401 });
  });
});
