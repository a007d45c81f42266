import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { buildOnce } from '../build.ts';
import { makeHome, post, runCli, type ServiceProcess, startServiceProcess } from './service-process.ts';
import { canMount, fillDisk, mountDisk, unmountDisk } from './small-disk.ts';

// What `/health` and the doctor say when the disk or the files of a service are not what they were.

let home: string;
let data: string;
let service: ServiceProcess;
let cleanUp: (() => void | Promise<unknown>)[];

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  const made = makeHome();
  home = made.home;
  data = join(home, 'elsewhere');
  cleanUp = [made.remove];
});
afterEach(async () => {
  for (const step of cleanUp.toReversed()) await step();
});

async function serve(): Promise<void> {
  const started = await startServiceProcess(home, ['--data', data]);
  service = started;
  cleanUp.push(() => started.stop('SIGKILL'));
}

async function health(): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${service.url}/health`, { headers: { authorization: `Bearer ${service.apiKey}` } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

interface Report {
  readonly code: number | null;
  readonly findings: readonly { level: string; about: string; message: string }[];
}

async function examine(...args: string[]): Promise<Report> {
  const { stdout, code } = await runCli(home, 'doctor', '--json', ...args);
  return { code, findings: (JSON.parse(stdout) as Report).findings };
}

const problems = ({ findings }: Report) => findings.filter(({ level }) => level === 'problem');

const PROJECT = 'acme/health';
/** Of a page or so. */
const TEXT = 'x'.repeat(20_000);

const startOf = (id: string, text = TEXT) => ({
  project_id: PROJECT,
  id,
  op_name: 'f',
  started_at: '2026-01-01T00:00:00Z',
  inputs: { text },
});

let count = 0;

/** A call with so many bytes of inputs. */
async function write(bytes: number): Promise<number> {
  const id = `c${count++}`;
  const answer = await post(service, '/call/start', { start: startOf(id, 'x'.repeat(bytes)) });
  await answer.arrayBuffer();
  return answer.status;
}

async function read(id: string): Promise<number> {
  const answer = await post(service, '/call/read', { project_id: PROJECT, id });
  await answer.arrayBuffer();
  return answer.status;
}

/** Asked often: what is refused once must not be well a moment later. */
async function statuses(times: number): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < times; index++) seen.push((await health()).status);
  return seen;
}

test.skipIf(!canMount)(
  'while a disk takes small writes and refuses large ones the service is not healthy, until it has room again',
  { timeout: 90_000 },
  async () => {
    const disk = join(home, 'disk');
    mountDisk(disk, 32);
    cleanUp.push(() => unmountDisk(disk));
    data = join(disk, 'data');
    await serve();
    expect(await write(10)).toBe(200);
    fillDisk(join(disk, 'filler'));
    // Room for a few small writes more.
    const room = statSync(join(disk, 'filler')).size - 256 * 1024;
    writeFileSync(join(disk, 'filler'), Buffer.alloc(room));
    expect(await write(900_000)).toBe(503);
    expect(await write(10)).toBe(200);
    expect(new Set(await statuses(30))).toEqual(new Set([503]));
    expect((await health()).body).toMatchObject({
      status: 'unavailable',
      error_code: 'unavailable',
      reason: 'Cannot write to the database: the disk is full',
    });
    const report = await examine();
    expect(report.code).toBe(1);
    expect(
      problems(report)
        .map(({ message }) => message)
        .join('\n'),
    ).toContain(disk);
    expect(
      problems(report)
        .map(({ message }) => message)
        .join('\n'),
    ).toContain(join(data, 'spoor.db'));

    rmSync(join(disk, 'filler'));
    await vi.waitFor(async () => expect((await health()).status).toBe(200), { timeout: 10_000, interval: 100 });
    expect(new Set(await statuses(10))).toEqual(new Set([200]));
    expect(await write(900_000)).toBe(200);
    expect(problems(await examine())).toEqual([]);
  },
);

/** One write of each kind, with content that was not there; `base` is a table that is. */
const KINDS: Readonly<Record<string, (id: string, base: string) => Promise<Response>>> = {
  call: (id) => post(service, '/call/start', { start: startOf(id) }),
  batch: (id) => post(service, '/call/upsert_batch', { batch: [{ mode: 'start', req: { start: startOf(id) } }] }),
  object: (id) =>
    post(service, '/obj/create', { obj: { project_id: PROJECT, object_id: id, val: { id, text: TEXT } } }),
  table: (id) => post(service, '/table/create', { table: { project_id: PROJECT, rows: [{ id, text: TEXT }] } }),
  'table update': (id, base) => {
    const updates = [{ append: { row: { id, text: TEXT } } }];
    return post(service, '/table/update', { project_id: PROJECT, base_digest: base, updates });
  },
  file: (id) => {
    const body = new FormData();
    body.set('project_id', PROJECT);
    body.set('file', new Blob([id + TEXT]), id);
    const headers = { authorization: `Bearer ${service.apiKey}` };
    return fetch(`${service.url}/file/create`, { method: 'POST', headers, body });
  },
  feedback: (id) => {
    const about = { svc_ref: `svc:///${PROJECT}/call/${id}`, feedback_type: 'own' };
    return post(service, '/feedback/create', { project_id: PROJECT, ...about, payload: { id } });
  },
  cost: (id) => {
    const costs = { [id]: { prompt_token_cost: 1, completion_token_cost: 1 } };
    return post(service, '/cost/create', { project_id: PROJECT, costs });
  },
};

test.skipIf(!canMount)(
  'whatever a full disk refuses, the service is not healthy until there is room',
  { timeout: 180_000 },
  async () => {
    const disk = join(home, 'disk');
    mountDisk(disk, 48);
    cleanUp.push(() => unmountDisk(disk));
    data = join(disk, 'data');
    await serve();
    const table = await post(service, '/table/create', { table: { project_id: PROJECT, rows: [{ n: 1 }] } });
    const { digest } = (await table.json()) as { digest: string };
    for (const [kind, writeOne] of Object.entries(KINDS)) {
      fillDisk(join(disk, 'filler'));
      // The log has room of its own, which is used up first.
      let status = 200;
      for (let number = 0; status === 200 && number < 2000; number++) {
        const answer = await writeOne(`${kind.replace(' ', '-')}-${number}`, digest);
        await answer.arrayBuffer();
        ({ status } = answer);
      }
      expect({ kind, status }).toEqual({ kind, status: 503 });
      const seen = new Set<number>();
      // It is tried again once a second.
      for (const end = performance.now() + 2500; performance.now() < end;) {
        for (const each of await statuses(5)) seen.add(each);
      }
      expect({ kind, seen }).toEqual({ kind, seen: new Set([503]) });
      rmSync(join(disk, 'filler'));
      await vi.waitFor(async () => expect({ kind, ...(await health()) }).toMatchObject({ kind, status: 200 }), {
        timeout: 10_000,
        interval: 100,
      });
    }
  },
);

test.skipIf(!canMount)(
  'a file that is too large for a disk does not keep the service from being healthy',
  { timeout: 90_000 },
  async () => {
    const disk = join(home, 'disk');
    mountDisk(disk, 40);
    cleanUp.push(() => unmountDisk(disk));
    data = join(disk, 'data');
    await serve();
    const body = new FormData();
    body.set('project_id', PROJECT);
    body.set('file', new Blob([Buffer.alloc(60_000_000, 'x')]), 'large');
    const headers = { authorization: `Bearer ${service.apiKey}` };
    const answer = await fetch(`${service.url}/file/create`, { method: 'POST', headers, body });
    expect(answer.status).toBe(503);
    expect(await write(10)).toBe(200);
    await vi.waitFor(async () => expect((await health()).status).toBe(200), { timeout: 10_000, interval: 100 });
    expect(new Set(await statuses(10))).toEqual(new Set([200]));
  },
);

test.runIf(!canMount)('SKIPPED on this machine, which lets us mount no small disk: a disk that is nearly full', () => {
  expect(canMount).toBe(false);
});

/** Fills the file with what is no database, from its second page on. */
function damage(path: string): void {
  const file = openSync(path, 'r+');
  const page = 16_384;
  const bytes = Buffer.alloc(page, 0xa5);
  for (let at = page; at < statSync(path).size; at += page) writeSync(file, bytes, 0, page, at);
  closeSync(file);
}

test('a database that was damaged under the service is not healthy, and the doctor names the file', async () => {
  await serve();
  for (let index = 0; index < 40; index++) await write(20_000);
  const last = `c${count - 1}`;
  await service.stop();
  damage(join(data, 'spoor.db'));
  await serve();
  expect(await read(last)).toBe(503);
  expect(new Set(await statuses(10))).toEqual(new Set([503]));
  expect((await health()).body).toMatchObject({
    status: 'unavailable',
    reason: 'Cannot use the database: database disk image is malformed',
  });
  const report = await examine();
  expect(report.code).toBe(1);
  expect(
    problems(report)
      .map(({ message }) => message)
      .join('\n'),
  ).toContain(join(data, 'spoor.db'));
});

/** What somebody does to the files of a service, and how he takes it back. */
const TAKEN: [string, () => () => void][] = [
  [
    'the data folder is moved away',
    () => {
      renameSync(data, `${data}.old`);
      return () => renameSync(`${data}.old`, data);
    },
  ],
  [
    'the data folder is replaced by an empty one',
    () => {
      renameSync(data, `${data}.old`);
      mkdirSync(data);
      return () => {
        rmSync(data, { recursive: true });
        renameSync(`${data}.old`, data);
      };
    },
  ],
  ...['spoor.db', 'spoor.db-wal', 'spoor.db-shm'].map((name): [string, () => () => void] => [
    `${name} is moved away`,
    () => {
      renameSync(join(data, name), join(data, 'other'));
      return () => renameSync(join(data, 'other'), join(data, name));
    },
  ]),
  [
    'spoor.db is replaced by a copy',
    () => {
      renameSync(join(data, 'spoor.db'), join(data, 'other'));
      writeFileSync(join(data, 'spoor.db'), '');
      return () => renameSync(join(data, 'other'), join(data, 'spoor.db'));
    },
  ],
];

test.each(TAKEN)('when %s, nothing is acknowledged that would be lost, until it is back', async (_name, take) => {
  await serve();
  expect(await write(10)).toBe(200);
  const kept = `c${count - 1}`;
  const giveBack = take();
  const reason = expect.stringMatching(/^Cannot use the database: its files were removed or replaced/) as string;
  // A thread that is only starting answers later than whoever asks waits.
  await vi.waitFor(
    async () => expect(await health()).toMatchObject({ status: 503, body: { error_code: 'unavailable', reason } }),
    { timeout: 10_000 },
  );
  expect(await write(10)).toBe(503);
  const report = await examine();
  expect(report.code).toBe(1);
  expect(
    problems(report)
      .map(({ message }) => message)
      .join('\n'),
  ).toContain(data);
  giveBack();
  await vi.waitFor(async () => expect((await health()).status).toBe(200), { timeout: 10_000, interval: 100 });
  expect(await write(10)).toBe(200);
  expect(await read(kept)).toBe(200);
  expect(await service.stop()).toBe(0);
  expect(await runCli(home, 'check', '--data', data)).toMatchObject({ code: 0 });
});
