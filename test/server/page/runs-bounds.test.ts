import { expect, test } from 'vitest';
import { TracingError } from '../../../src/protocol/error.ts';
import type { RunsListResponse } from '../../../src/protocol/page/run.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { endFact, NEW_YEAR, PROJECT, SECOND, startFact } from '../../../src/testing/storage/facts.ts';
import { serverPerTest } from '../server-per-test.ts';

const startOne = serverPerTest();

/** However slow the machine is, sums are told of what does not fail. */
const start: typeof startOne = (options) => startOne({ limits: { sums_ms: 60_000 }, ...options });

const HOUR = 3600 * SECOND;

function runId(number: number): string {
  return `p${String(number).padStart(16, '0')}`;
}

/** So many runs of one call each, the first one before all others. */
async function writeRuns(storage: Storage, count: number): Promise<void> {
  await storage.calls.write(
    Array.from({ length: count }, (_, number) =>
      startFact(`c${number}`, { process_run: runId(number), started_at: NEW_YEAR + number * SECOND }),
    ),
  );
}

/** A storage that counts what is asked of it, and may fail. */
function watched(fail: (kind: 'sums' | 'aggregate', ids: readonly string[]) => boolean = () => false) {
  const storage = openMemoryStorage();
  const { runs, overviews } = storage;
  if (runs === undefined || overviews === undefined) throw new TypeError('The storage has all roles');
  const counts = { list: 0, sums: 0, aggregate: 0 };
  const give = async <T>(kind: 'sums' | 'aggregate', ids: readonly string[], answer: () => Promise<T>): Promise<T> => {
    counts[kind] += 1;
    if (fail(kind, ids)) throw new TracingError('query_timeout', 'Cannot add up the calls in time');
    return await answer();
  };
  const watching: Storage = {
    ...storage,
    runs: {
      ...runs,
      note: (run) => runs.note(run),
      list: (plan, options) => ((counts.list += 1), runs.list(plan, options)),
      sums: (plan, options) => give('sums', plan.ids, () => runs.sums(plan, options)),
    },
    overviews: {
      ...overviews,
      aggregate: (plan, options) => give('aggregate', [], () => overviews.aggregate(plan, options)),
    },
  };
  return { storage: watching, counts };
}

async function list(server: Awaited<ReturnType<typeof start>>, request: object): Promise<RunsListResponse> {
  const { status, body, text } = await server.post('/x/runs/list', { project_id: PROJECT, ...request });
  expect([status, text]).toEqual([200, text]);
  return body as RunsListResponse;
}

test('the calls of all runs of a page are added up in a pass or two', async () => {
  const { storage, counts } = watched();
  await writeRuns(storage, 100);
  for (let number = 0; number < 100; number++) await storage.calls.write([endFact(`c${number}`)]);
  const { runs } = await list(await start({ storage }), { limit: 100 });
  expect(runs.map(({ calls }) => calls)).toEqual(runs.map(() => 1));
  expect(runs).toHaveLength(100);
  expect(counts).toEqual({ list: 1, sums: 1, aggregate: 0 });
});

test('runs are listed without their sums when these take too long', async () => {
  const { storage } = watched(() => true);
  await writeRuns(storage, 2);
  const { runs } = await list(await start({ storage }), {});
  expect(runs.map(({ id, calls, errors, tokens, cost }) => [id, calls, errors, tokens, cost])).toEqual([
    [runId(1), null, null, null, null],
    [runId(0), null, null, null, null],
  ]);
});

test('sums are told though it takes too long to see which of the running calls never end', async () => {
  const { storage } = watched((kind) => kind === 'aggregate');
  await writeRuns(storage, 50);
  const { runs } = await list(await start({ storage }), { limit: 50 });
  expect(runs.map(({ calls, running }) => [calls, running])).toEqual(runs.map(() => [1, 1]));
  expect(runs).toHaveLength(50);
});

test('a run of long time keeps no others from being added up', async () => {
  const { storage } = watched((kind, ids) => kind === 'sums' && ids.includes(runId(0)));
  await writeRuns(storage, 3);
  await storage.calls.write([endFact('c0', { process_run: runId(0), ended_at: NEW_YEAR + 30 * HOUR })]);
  const { runs } = await list(await start({ storage }), {});
  expect(runs.map(({ id, calls }) => [id, calls])).toEqual([
    [runId(2), 1],
    [runId(1), 1],
    [runId(0), null],
  ]);
});

test('who asks for no sums waits for none', async () => {
  const { storage, counts } = watched();
  await writeRuns(storage, 2);
  const { runs } = await list(await start({ storage }), { call_id: 'c1', sums: false });
  expect(runs.map(({ id, calls }) => [id, calls])).toEqual([[runId(1), null]]);
  expect(counts).toEqual({ list: 1, sums: 0, aggregate: 0 });
});

test('a request looks through some hundreds of runs of which no call is left, and the cursor leads on', async () => {
  const { storage, counts } = watched();
  await writeRuns(storage, 1500);
  await storage.calls.delete(
    PROJECT,
    Array.from({ length: 1499 }, (_, number) => `c${number + 1}`),
    NEW_YEAR,
  );
  const server = await start({ storage });
  const found: string[] = [];
  let requests = 0;
  for (let cursor: string | null = null; requests === 0 || cursor !== null;) {
    const before = counts.list;
    const page: RunsListResponse = await list(server, { limit: 1, ...(cursor !== null && { cursor }) });
    expect(counts.list - before).toBeLessThanOrEqual(4);
    found.push(...page.runs.map(({ id }) => id));
    cursor = page.next_cursor;
    requests += 1;
  }
  expect(found).toEqual([runId(0)]);
  expect(requests).toBeGreaterThan(1);
  expect(counts.list).toBeLessThan(20);
});
