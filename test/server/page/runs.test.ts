import { describe, expect, test } from 'vitest';
import { TracingError } from '../../../src/protocol/error.ts';
import { formatRun, RUN_HEADER } from '../../../src/protocol/process-run.ts';
import { createReader, type Reader } from '../../../src/reader/reader.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { createKey } from '../../../src/server/keys/keys.ts';
import { ENGINES, type RunningServer } from '../running-server.ts';
import { serverPerTest } from '../server-per-test.ts';
import { PROJECT } from './seed.ts';

const startOne = serverPerTest();

/** However slow the machine is, sums are told. */
const start: typeof startOne = (options) => startOne({ limits: { sums_ms: 60_000 }, ...options });

const RUN = 'p0f3c9a1b2c3d4e5f';
const LATER = 'p1111111111111111';
const COMMIT = '9f2c3d4e5f60718293a4b5c6d7e8f90123456789';
const NEW_YEAR = Date.UTC(2026, 0, 1);

function readerOf({ url, apiKey }: RunningServer, key = apiKey): Reader {
  return createReader({ url, apiKey: key, project: PROJECT, retries: 0 });
}

interface Written {
  readonly id: string;
  readonly op?: string;
  readonly at?: number;
  readonly exception?: string;
  readonly tokens?: number;
  readonly project_id?: string;
}

function itemsOf({ id, op = 'answer', at = 0, exception, tokens, project_id = PROJECT }: Written): object[] {
  const started_at = new Date(NEW_YEAR + at * 1000).toISOString();
  const ended_at = new Date(NEW_YEAR + at * 1000 + 500).toISOString();
  const usage =
    tokens === undefined ? {} : { usage: { 'gpt-4o': { input_tokens: tokens, output_tokens: 0, requests: 1 } } };
  const place = { project_id, id };
  return [
    { mode: 'start', req: { start: { ...place, trace_id: id, op_name: op, started_at, attributes: {}, inputs: {} } } },
    { mode: 'end', req: { end: { ...place, ended_at, exception: exception ?? null, output: null, summary: usage } } },
  ];
}

/** Sends calls as the program of a run does. */
async function send(server: RunningServer, run: string | undefined, ...calls: Written[]): Promise<number> {
  const batch = calls.flatMap(itemsOf);
  const headers: Record<string, string> = run === undefined ? {} : { [RUN_HEADER]: run };
  return (await server.post('/call/upsert_batch', { batch }, headers)).status;
}

describe.each(ENGINES)('with %s', (storage) => {
  test('the calls of a run are added up beside what its process said', async () => {
    const server = await start({ storage });
    const said = { startedAt: (NEW_YEAR - 100) * 1000, pid: 4711, host: 'build-7', version: '0.1.0', commit: COMMIT };
    await send(server, formatRun({ id: RUN, ...said }), { id: 'a', tokens: 1000 });
    await send(server, formatRun({ id: RUN, ...said, isDirty: true }), {
      id: 'b',
      op: 'other',
      at: 2,
      exception: 'Error: no',
    });
    await send(server, undefined, { id: 'c', at: 1 });
    const { runs, next_cursor } = await readerOf(server).page.runs();
    expect(next_cursor).toBeNull();
    expect(runs).toEqual([
      {
        id: RUN,
        entry_op: 'answer',
        started_at: '2025-12-31T23:59:59.900000Z',
        first_call_at: '2026-01-01T00:00:00Z',
        last_seen_at: '2026-01-01T00:00:02.500000Z',
        duration_ms: 2500,
        pid: 4711,
        host: 'build-7',
        version: '0.1.0',
        commit: COMMIT,
        is_dirty: true,
        calls: 2,
        errors: 1,
        running: 0,
        never_ended: 0,
        tokens: 1000,
        cost: expect.any(Number) as number,
        unpriced_models: [],
      },
    ]);
  });

  test('runs are listed in pages, by their entry op, their ids and one of their calls', async () => {
    const server = await start({ storage });
    const { page } = readerOf(server);
    await send(server, `id=${RUN}`, { id: 'a' }, { id: 'a2', op: 'other', at: 9 });
    await send(server, `id=${LATER}`, { id: 'b', at: 5, op: 'other' });
    const idsOf = async (request: Parameters<typeof page.runs>[0]) =>
      (await page.runs(request)).runs.map(({ id }) => id);
    expect(await idsOf({})).toEqual([LATER, RUN]);
    const first = await page.runs({ limit: 1 });
    expect(first.runs.map(({ id }) => id)).toEqual([LATER]);
    expect(await page.runs({ limit: 1, cursor: first.next_cursor })).toMatchObject({
      runs: [{ id: RUN }],
      next_cursor: null,
    });
    expect(await idsOf({ entry_op: 'answer' })).toEqual([RUN]);
    expect(await idsOf({ ids: [LATER] })).toEqual([LATER]);
    expect(await idsOf({ ids: [] })).toEqual([]);
    expect(await idsOf({ call_id: 'a2' })).toEqual([RUN]);
    expect(await idsOf({ call_id: 'nobody' })).toEqual([]);
    expect(await idsOf({ before: LATER })).toEqual([RUN]);
    expect(await idsOf({ before: LATER, entry_op: 'other' })).toEqual([]);
    expect(await idsOf({ before: RUN })).toEqual([]);
    expect(await idsOf({ before: 'nobody' })).toEqual([]);
  });

  test('a run of which no call is left is not listed', async () => {
    const server = await start({ storage });
    const reader = readerOf(server);
    await send(server, `id=${RUN}`, { id: 'a' });
    await send(server, `id=${LATER}`, { id: 'b', at: 5 });
    await reader.calls.delete(['b']);
    expect(await reader.page.runs({ limit: 1 })).toMatchObject({ runs: [{ id: RUN }], next_cursor: null });
  });

  test('rows and sums are asked for by the run', async () => {
    const server = await start({ storage });
    const { page } = readerOf(server);
    await send(server, `id=${RUN}`, { id: 'a' }, { id: 'a2', at: 9 });
    await send(server, `id=${LATER}`, { id: 'b', at: 5 });
    await send(server, undefined, { id: 'c', at: 6 });
    const ids = async (where: string) => (await page.rows({ where })).rows.map(({ id }) => id);
    expect(await ids(`run:${RUN}`)).toEqual(['a2', 'a']);
    expect(await ids(`run:${RUN},${LATER}`)).toEqual(['a2', 'b', 'a']);
    expect(await ids(`run:${RUN.slice(0, 6)}*`)).toEqual(['a2', 'a']);
    expect(await ids(`-run:${RUN}`)).toEqual(['c', 'b']);
    expect(await ids(`run:${RUN} op:other`)).toEqual([]);
    expect((await page.stats({ where: `run:${RUN}` })).count).toBe(2);
  });

  test('what the interface says of a call does not change', async () => {
    const server = await start({ storage });
    const reader = readerOf(server);
    await send(server, `id=${RUN}`, { id: 'a' });
    await send(server, undefined, { id: 'b' });
    const [a, b] = [await reader.calls.get('a'), await reader.calls.get('b')];
    expect(Object.keys(a ?? {})).toEqual(Object.keys(b ?? {}));
    expect(a?.svc_run_id).toBeNull();
    await expect(reader.calls.query({ columns: ['process_run'] }).next()).rejects.toMatchObject({
      code: 'invalid_field',
    });
  });
});

test('single calls, and those of the path of a project, belong to the run of their request', async () => {
  const server = await start();
  const headers = { [RUN_HEADER]: `id=${RUN};pid=7` };
  const [started, ended] = itemsOf({ id: 'a' }) as { req: object }[];
  expect((await server.post('/call/start', started?.req, headers)).status).toBe(200);
  expect((await server.post('/call/end', ended?.req, headers)).status).toBe(200);
  expect((await readerOf(server).page.runs()).runs).toMatchObject([{ id: RUN, pid: 7, calls: 1, duration_ms: 500 }]);
});

test('calls of a large batch belong to the run of their request', async () => {
  const server = await start();
  const calls = Array.from({ length: 3000 }, (_, index) => ({ id: `c${index}`, at: index }));
  for (let from = 0; from < calls.length; from += 1000) {
    expect(await send(server, `id=${RUN};pid=7`, ...calls.slice(from, from + 1000))).toBe(200);
  }
  const batch = itemsOf({ id: 'large' }) as { req: { start?: { inputs: object } } }[];
  if (batch[0]?.req.start) batch[0].req.start.inputs = { text: 'x'.repeat(5 * 1024 * 1024) };
  expect((await server.post('/call/upsert_batch', { batch }, { [RUN_HEADER]: `id=${LATER};pid=8` })).status).toBe(200);
  const { runs } = await readerOf(server).page.runs();
  expect(runs.map(({ id, calls: count, pid }) => [id, count, pid])).toEqual([
    [LATER, 1, 8],
    [RUN, 3000, 7],
  ]);
});

test('calls whose run cannot be noted are answered as they are stored, and it is noted later', async () => {
  const storage = openMemoryStorage();
  const { runs } = storage;
  if (runs === undefined) throw new TypeError('The storage has runs');
  const note = runs.note.bind(runs);
  let tries = 0;
  runs.note = async (run) => {
    tries += 1;
    if (tries < 3) throw new TracingError('rate_limited', 'Cannot take the write: too much is waiting to be written');
    await note(run);
  };
  const server = await start({ storage });
  expect(await send(server, `id=${RUN};pid=7`, { id: 'a' })).toBe(200);
  expect((await readerOf(server).page.runs()).runs).toMatchObject([{ id: RUN, pid: null, calls: 1 }]);
  const pid = async () => (await readerOf(server).page.runs()).runs[0]?.pid;
  await expect.poll(pid, { timeout: 20_000 }).toBe(7);
});

test.each(['nightly', 'id=nightly', ''])('the header "%s" names no run, and is as good as none', async (text) => {
  const server = await start();
  expect(await send(server, text, { id: 'c' })).toBe(200);
  expect((await readerOf(server).page.runs()).runs).toEqual([]);
});

test('requests that make no sense are refused', async () => {
  const { page } = readerOf(await start());
  await expect(page.runs({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(page.runs({ limit: -1 })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a key reads the runs of its entities only', async () => {
  const server = await start({ storage: 'sqlite' });
  const { key } = createKey(server.dataDir ?? '', { name: 'ada', entities: ['other'] });
  const { page } = readerOf(server, key);
  await expect(page.runs()).rejects.toMatchObject({ code: 'forbidden' });
  expect(await page.runs({ project_id: 'other/p' })).toEqual({ runs: [], next_cursor: null });
});
