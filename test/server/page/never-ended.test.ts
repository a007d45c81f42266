import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { namespaceHere, processHere } from '../../../src/spool/process-here.ts';
import { createReader, type Reader } from '../../../src/reader/reader.ts';
import { ENGINES } from '../running-server.ts';
import { serverPerTest } from '../server-per-test.ts';
import { PROJECT } from './seed.ts';

/** More traces than are looked up at once. */
const MANY = 1050;

const here = { host: hostname(), pid_namespace: namespaceHere().own };

/** Values of a facet that are named. */
const LIMITS = [0, 1, 2, 3];

const startService = serverPerTest();
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await end(child);
});

describe.each(ENGINES)('with %s', (storage) => {
  test('sums and lists agree on what never ends, whichever client began it', async () => {
    const server = await startService({ storage });
    const reader = createReader({ url: server.url, apiKey: server.apiKey, project: PROJECT });
    const { calls, page } = reader;
    const [alive, dead] = [startClient(), startClient()];
    const traces = [
      ...tracesOf({ ...here, pid: alive.pid }, 'alive', 3),
      ...tracesOf({ ...here, pid: dead.pid }, 'dead', MANY),
      ...tracesOf({ host: 'elsewhere', pid: dead.pid }, 'far', 2),
      ...tracesOf({}, 'silent', 1),
      // Numbers of other containers, and of processes that had the number before: a day they count as running, or never.
      ...tracesOf({ ...here, pid: dead.pid, pid_namespace: 1 }, 'contained', 1),
      ...tracesOf({ ...here, pid: process.pid, pid_started: processHere(process.pid)?.started }, 'own', 1),
      ...tracesOf({ ...here, pid: process.pid, pid_started: 1 }, 'earlier', 1),
      ...tracesOf({ ...here, pid: 'x' }, 'odd', 1),
      ...tracesOf({}, 'ancient', 2, '2026-01-01T00:00:00Z'),
      ...tracesOf({ ...here, pid: dead.pid }, 'ancient-and-dead', 2, '2026-01-01T00:00:00Z'),
    ];
    await calls.write(traces);
    await calls.write([{ mode: 'end', req: { end: { id: 'dead-0', ended_at: now(), exception: 'Error: no' } } }]);
    const compare = async (request: object = {}) => {
      const facet = { field: 'state' };
      const counted = await page.stats({
        ...request,
        facets: [facet, ...LIMITS.map((limit) => ({ ...facet, limit }))],
      });
      const states = await statesOf(reader, request);
      const { running, never_ended: neverEnded, facets } = counted;
      expect({ running, neverEnded }).toEqual({
        running: states.get('running') ?? 0,
        neverEnded: states.get('never_ended') ?? 0,
      });
      const most = [...states].map(([value, count]) => ({ value, count })).sort(byCount);
      expect(facets).toEqual(
        [10, ...LIMITS].map((limit) => ({
          field: 'state',
          values: most.slice(0, limit),
          other: most.slice(limit).reduce((sum, { count }) => sum + count, 0),
          distinct: most.length,
        })),
      );
      return { running, neverEnded };
    };
    // Two calls a trace.
    expect(await compare()).toEqual({ running: 2 * (MANY + 9) - 1, neverEnded: 10 });
    await end(dead);
    expect(await compare()).toEqual({ running: 2 * 9, neverEnded: 2 * MANY - 1 + 10 });
    expect(await compare({ roots_only: true })).toEqual({ running: 9, neverEnded: MANY - 1 + 5 });
    // A root that is not selected tells of its trace, too.
    expect(await compare({ filter: { op_names: ['below'] } })).toEqual({ running: 9, neverEnded: MANY + 5 });
    expect(await compare({ started_before: '2026-01-02T00:00:00Z' })).toEqual({ running: 0, neverEnded: 8 });
    await end(alive);
    expect(await compare()).toEqual({ running: 2 * 6, neverEnded: 2 * (MANY + 3) - 1 + 10 });
  });
});

test('what traces run in is told by conditions, and no attributes are handed over', async () => {
  const storage = openMemoryStorage();
  const { calls: stored } = storage;
  const asked: string[][] = [];
  const watched = {
    get: stored.get.bind(stored),
    count: stored.count.bind(stored),
    write: stored.write.bind(stored),
    rename: stored.rename.bind(stored),
    delete: stored.delete.bind(stored),
    query: (...[plan, options]: Parameters<typeof stored.query>) => {
      asked.push([...plan.bodies]);
      return stored.query(plan, options);
    },
  };
  const server = await startService({ storage: { ...storage, calls: watched } });
  const { calls, page } = createReader({ url: server.url, apiKey: server.apiKey, project: PROJECT });
  const dead = startClient();
  await calls.write(tracesOf({ ...here, pid: dead.pid }, 'dead', 2));
  await end(dead);
  expect(await page.stats()).toMatchObject({ running: 0, never_ended: 4 });
  expect(asked).toEqual([[]]);
});

/** How often each state is in a list that is read to its end. */
async function statesOf({ page }: Reader, request: object): Promise<ReadonlyMap<string, number>> {
  const states = new Map<string, number>();
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const answer = await page.rows({ ...request, limit: 200, ...(cursor && { cursor }) });
    for (const { state } of answer.rows) states.set(state, (states.get(state) ?? 0) + 1);
    cursor = answer.next_cursor;
  }
  return states;
}

function startClient(): ChildProcess {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  children.push(child);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

interface Counted {
  readonly value: string;
  readonly count: number;
}

const byCount = (left: Counted, right: Counted) => right.count - left.count || (left.value < right.value ? -1 : 1);

const now = () => new Date().toISOString();

/** Traces of a root that says who recorded it, and a call below it. */
function tracesOf(svc: object, name: string, count: number, startedAt = now()) {
  return Array.from({ length: count }, (_, index) => {
    const id = `${name}-${index}`;
    const start = { trace_id: id, started_at: startedAt, inputs: {} };
    return [
      { ...start, id, op_name: 'root', parent_id: null, attributes: { svc } },
      { ...start, id: `${id}-below`, op_name: 'below', parent_id: id, attributes: {} },
    ].map((each) => ({ mode: 'start' as const, req: { start: each } }));
  }).flat();
}
