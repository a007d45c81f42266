import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createServer, type ServerOptions, type SpoorServer } from '../../src/server/create-server.ts';
import type { RetentionPolicy } from '../../src/storage/contract/retention.ts';
import type { RunFacts } from '../../src/storage/contract/runs.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

const KEPT = 'acme/kept';
const DAY_MS = 86_400_000;

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'spoor-retention-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
});

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ storage: 'sqlite', dataDir, ...options });
  onTestFinished(() => server.close());
  return server;
}

async function write(server: RunningServer, project_id: string, id: string, daysAgo: number, text = ''): Promise<void> {
  const started_at = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  const call = { project_id, id, op_name: 'f', trace_id: `trace-${id}`, started_at, inputs: { text } };
  expect((await server.post('/call/start', { start: call })).status).toBe(200);
}

async function idsOf(server: RunningServer, project_id: string): Promise<string[]> {
  const { text } = await server.post('/calls/stream_query', { project_id });
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { id: string }).id).toSorted();
}

/** Waits until a project has just these calls. */
async function seen(server: RunningServer, project_id: string, ids: readonly string[]): Promise<void> {
  await vi.waitFor(async () => expect(await idsOf(server, project_id)).toEqual(ids), { timeout: 15_000 });
}

/** Waits until what a start looks for is done with. */
async function roundEnded({ log }: RunningServer): Promise<void> {
  const ended = expect.objectContaining({ msg: 'round of retention ended' }) as object;
  await vi.waitFor(() => expect(log).toContainEqual(ended), { timeout: 15_000 });
}

/** A data folder with calls of some days. */
async function fill(): Promise<void> {
  const server = await start();
  for (const project of [PROJECT, KEPT]) {
    await write(server, project, 'old', 10);
    await write(server, project, 'middle', 5);
    await write(server, project, 'new', 0);
  }
  await server.close();
}

const REMOVES_NOTHING = {
  projects: async () => [],
  timeForBytes: async () => undefined,
  removeBefore: async () => ({ traces: 0, calls: 0 }),
};

const sumOf = (metrics: string, name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);

test('without a rule everything stays', async () => {
  await fill();
  const server = await start();
  expect(await idsOf(server, PROJECT)).toEqual(['middle', 'new', 'old']);
  expect(sumOf((await server.get('/metrics')).text, 'spoor_retention_removed_calls_total')).toBe(0);
});

test('what is older than so many days is removed, logged and counted; a project may have a rule of its own', async () => {
  await fill();
  const server = await start({ retainDays: 7, retainProjects: { [KEPT]: {} } });
  await seen(server, PROJECT, ['middle', 'new']);
  await vi.waitFor(
    () =>
      expect(server.log).toContainEqual(
        expect.objectContaining({ msg: 'old traces removed', project: PROJECT, traces: 1, calls: 1 }),
      ),
    10_000,
  );
  expect(await idsOf(server, KEPT)).toEqual(['middle', 'new', 'old']);
  const { text } = await server.get('/metrics');
  expect(sumOf(text, 'spoor_retention_removed_traces_total')).toBe(1);
  expect(sumOf(text, 'spoor_retention_removed_calls_total')).toBe(1);
});

test('a rule of a project stands in place of the general one', async () => {
  await fill();
  const server = await start({ retainDays: 1, retainProjects: { [KEPT]: { days: 7 } } });
  await seen(server, PROJECT, ['new']);
  await seen(server, KEPT, ['middle', 'new']);
  // Calls are counted when they are gone, so a reader may be faster.
  await vi.waitFor(async () => {
    const { text } = await server.get('/metrics');
    expect(sumOf(text, 'spoor_retention_removed_calls_total')).toBe(3);
  }, 10_000);
});

test('beyond so many bytes the oldest go first, and the room they took is given back', async () => {
  const before = await start();
  for (let index = 0; index < 40; index++) await write(before, PROJECT, `c${index}`, 40 - index, 'x'.repeat(100_000));
  await before.close();
  const server = await start({ retainBytes: 1_000_500 });
  const newest = Array.from({ length: 10 }, (_, index) => `c${30 + index}`);
  await seen(server, PROJECT, newest);
  await roundEnded(server);
  await server.close();
  const { size } = statSync(join(dataDir, 'spoor.db'));
  expect(size).toBeLessThan(2_500_000);
});

test('what one start says counts for later ones without the option, until another says otherwise', async () => {
  const first = await start({ retainDays: 7, retainProjects: { [KEPT]: {} } });
  await first.close();
  await fill();
  const second = await start();
  await seen(second, PROJECT, ['middle', 'new']);
  await second.close();
  const third = await start({ retainDays: 'all' });
  await write(third, PROJECT, 'again', 10);
  await third.close();
  const last = await start();
  await roundEnded(last);
  expect(await idsOf(last, PROJECT)).toEqual(['again', 'middle', 'new']);
  expect(await idsOf(last, KEPT)).toEqual(['middle', 'new', 'old']);
});

test('a start that fails leaves what was said before', async () => {
  const other = await startServer();
  onTestFinished(() => other.close());
  await (await start({ retainDays: 30 })).close();
  const failing = createServer({ storage: 'sqlite', dataDir, port: other.port, retainDays: 1 });
  await expect(failing).rejects.toThrow('Cannot listen');
  const { body } = await (await start()).post('/x/retention', {});
  expect(body).toEqual({ policy: { all: { days: 30, bytes: null }, projects: {} } });
});

test.each([
  [
    'at once',
    () => {
      throw new Error('no room');
    },
  ],
  ['later', async () => await Promise.reject(new Error('no room'))],
])(
  'a start that fails %s when it tells where it is leaves what was said before, and listens no more',
  async (_when, fail) => {
    await (await start({ retainDays: 30 })).close();
    let url = '';
    const onListening = (server: SpoorServer) => {
      ({ url } = server);
      return fail();
    };
    const failing = createServer({ storage: 'sqlite', dataDir, port: 0, retainDays: 1, onListening });
    await expect(failing).rejects.toThrow('no room');
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
    const { body } = await (await start()).post('/x/retention', {});
    expect(body).toEqual({ policy: { all: { days: 30, bytes: null }, projects: {} } });
  },
);

test('a service that is closed when it listens has told nothing, and is closed once', async () => {
  const close = vi.fn<() => Promise<void>>(async () => undefined);
  const set = vi.fn<(policy: RetentionPolicy) => Promise<void>>(async () => undefined);
  const storage = {
    ...openMemoryStorage(),
    close,
    retention: REMOVES_NOTHING,
    policy: { get: async () => undefined, set },
  };
  const onListening = async (server: SpoorServer) => await server.close();
  const server = await createServer({ storage, port: 0, retainDays: 1, onListening });
  await server.close();
  await expect(fetch(`${server.url}/health`)).rejects.toThrow('fetch failed');
  expect(set).not.toHaveBeenCalled();
  expect(close).toHaveBeenCalledOnce();
});

test('a service that is closed while it says what is kept closes its storage after that', async () => {
  const done: string[] = [];
  let end = () => {};
  const told = new Promise<void>((resolve) => {
    end = resolve;
  });
  const set = async () => {
    closing = server?.close();
    setImmediate(end);
    await told;
    done.push('told');
  };
  let server: SpoorServer | undefined;
  let closing: Promise<void> | undefined;
  const close = async () => void done.push('closed');
  const storage = {
    ...openMemoryStorage(),
    close,
    retention: REMOVES_NOTHING,
    policy: { get: async () => undefined, set },
  };
  const onListening = (started: SpoorServer) => void (server = started);
  await createServer({ storage, port: 0, retainDays: 1, onListening });
  await closing;
  expect(done).toEqual(['told', 'closed']);
});

test('a service that cannot say what is kept does not start, and listens no more', async () => {
  const storage = openMemoryStorage();
  const close = vi.fn<() => Promise<void>>(async () => await storage.close());
  const listening = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const before = listening();
  const policy = { get: async () => undefined, set: async () => await Promise.reject(new Error('disk full')) };
  const failing = createServer({
    storage: { ...storage, close, retention: REMOVES_NOTHING, policy },
    port: 0,
    retainDays: 1,
  });
  await expect(failing).rejects.toThrow('disk full');
  await expect.poll(listening).toBeLessThanOrEqual(before);
  expect(close).toHaveBeenCalledOnce();
});

test('a rule that says nonsense, and a storage that removes nothing, are refused', async () => {
  const nonsense = createServer({ storage: 'memory', port: 0, retainDays: 0 });
  await expect(nonsense).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: 'Cannot keep 0 days: want a number above 0',
  });
  const { retention: _retention, ...storage }: Storage = openMemoryStorage();
  const unable = createServer({ storage, port: 0, retainDays: 1 });
  await expect(unable).rejects.toMatchObject({ code: 'invalid_configuration' });
});

test('a service that stops does not wait for the search for old traces', async () => {
  const storage = openMemoryStorage();
  let beginSearch = () => {};
  const searching = new Promise<void>((resolve) => (beginSearch = resolve));
  const server = await startServer({
    retainBytes: 1,
    storage: {
      ...storage,
      retention: {
        ...storage.retention!,
        projects: async () => [PROJECT],
        timeForBytes: (_project, _bytes, options) => {
          beginSearch();
          return new Promise((_resolve, reject) => {
            options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
          });
        },
      },
    },
  });
  await searching;
  await server.close();
  expect(server.log.filter(({ msg }) => msg === 'retention failed')).toEqual([]);
});

test('a program that goes on recording is told of again where its run was removed meanwhile', async () => {
  const storage = openMemoryStorage();
  const noted: RunFacts[] = [];
  const round = new EventEmitter();
  const begun = once(round, 'begun');
  const server = await startServer({
    retainDays: 1,
    storage: {
      ...storage,
      runs: { ...storage.runs!, note: async (run) => void noted.push(run) },
      retention: {
        ...storage.retention!,
        projects: async () => [PROJECT],
        removeBefore: async () => {
          const goesOn = once(round, 'go on');
          round.emit('begun');
          await goesOn;
          return { traces: 0, calls: 0 };
        },
      },
    },
  });
  onTestFinished(() => server.close());
  const record = async (id: string) => {
    const call = { project_id: PROJECT, id, op_name: 'f', trace_id: id, started_at: new Date().toISOString() };
    const headers = { 'svc-run': 'id=p0f3c9a1b2c3d4e5f;pid=7' };
    const batch = [{ mode: 'start', req: { start: { ...call, inputs: {}, attributes: {} } } }];
    expect((await server.post('/call/upsert_batch', { batch }, headers)).status).toBe(200);
  };
  await begun;
  await record('a');
  round.emit('go on');
  await roundEnded(server);
  await record('b');
  await record('c');
  expect(noted.map(({ pid }) => pid)).toEqual([7, 7]);
});

test.each([
  [true, ['lease of retention', 'projects']],
  [false, ['lease of retention']],
])('of services on one storage the one that has the lease removes what is old: %s', async (hasLease, done) => {
  const seenSteps: string[] = [];
  const memory = openMemoryStorage();
  const storage: Storage = {
    ...memory,
    takeLease: async (name) => {
      seenSteps.push(`lease of ${name}`);
      return hasLease;
    },
    retention: {
      projects: async () => {
        seenSteps.push('projects');
        return [];
      },
      timeForBytes: async () => undefined,
      removeBefore: async () => ({ traces: 0, calls: 0 }),
    },
  };
  const server = await startServer({ storage, retainDays: 1 });
  // The round that has begun is waited for.
  await server.close();
  expect(seenSteps).toEqual(done);
});
