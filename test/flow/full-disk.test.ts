import { randomBytes } from 'node:crypto';
import { rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { buildOnce } from '../build.ts';
import { Ledger } from './chaos/ledger.ts';
import { observe } from './chaos/observe.ts';
import { Random } from './chaos/random.ts';
import { askOf, send } from './chaos/send.ts';
import { type Writer, WRITERS } from './chaos/writers.ts';
import { startProgram, stepsOf, upTo } from './program.ts';
import { makeHome, post, runCli, type ServiceProcess, startServiceProcess } from './service-process.ts';
import { canMount, fillDisk, mountDisk, unmountDisk } from './small-disk.ts';

const PROJECT = 'acme/full';

/** Every path that writes; the two hidden ones for files are aliases. */
const WRITE_PATHS = [
  '/call/end',
  '/call/start',
  '/call/update',
  '/call/upsert_batch',
  '/calls/delete',
  '/cost/create',
  '/cost/purge',
  '/feedback/create',
  '/feedback/purge',
  '/feedback/replace',
  '/file/create',
  '/obj/create',
  '/obj/delete',
  '/otel/v1/traces',
  '/table/create',
  '/table/update',
];

let home: string;
let disk: string;
let service: ServiceProcess;
let cleanUp: (() => void | Promise<void>)[];

// A whole disk is filled, which takes long on a machine that has other work.
vi.setConfig({ testTimeout: 180_000 });

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  const made = makeHome();
  home = made.home;
  disk = join(home, 'disk');
  cleanUp = [made.remove];
});
afterEach(async () => {
  for (const step of cleanUp.toReversed()) await step();
});

async function serveOnSmallDisk(): Promise<void> {
  mountDisk(disk, 96);
  cleanUp.push(() => unmountDisk(disk));
  await serve();
}

async function serve(): Promise<void> {
  service = await startServiceProcess(home, ['--data', join(disk, 'data')]);
  const started = service;
  cleanUp.push(async () => void (await started.stop()));
}

interface ActiveWriter {
  readonly next: Writer;
  readonly ledger: Ledger;
}

function openWriters(): ActiveWriter[] {
  return Object.values(WRITERS).map((open, index) => {
    const ledger = new Ledger();
    return { ledger, next: open({ project: PROJECT, prefix: `w${index}`, ledger, random: new Random(index) }) };
  });
}

async function writeSome(writers: readonly ActiveWriter[], count: number): Promise<void> {
  for (const { next, ledger } of writers) {
    for (let index = 0; index < count; index++) {
      const step = next();
      ledger.begin(step.changes);
      const answer = await send(service, step);
      expect({ path: step.path, status: answer?.status, text: answer?.text }).toMatchObject({ status: 200 });
      ledger.acknowledge();
      step.onAcknowledged?.(answer?.body);
    }
  }
}

/** What a reader sees is what was acknowledged. */
async function verify(writers: readonly ActiveWriter[]): Promise<void> {
  const seen = await observe(
    askOf(service),
    PROJECT,
    writers.flatMap(({ ledger }) => ledger.keys),
  );
  expect(writers.flatMap(({ ledger }) => ledger.settle(seen).problems)).toEqual([]);
  expect(seen.size).toBeGreaterThan(50);
}

const filler = () => join(disk, 'filler');

/** The log of the database has room of its own, which small writes use up. */
async function useUpLog(): Promise<void> {
  let isFull = false;
  for (let index = 0; !isFull; index++) {
    const start = { project_id: 'acme/other', id: `c${index}`, op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
    isFull = (await post(service, '/call/start', { start })).status === 503;
  }
}

async function health(): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${service.url}/health`, { headers: { authorization: `Bearer ${service.apiKey}` } });
  return { status: response.status, body: await response.json() };
}

test.skipIf(!canMount)(
  'on a full disk every write is refused with a reason, reads go on, and with room again so do writes',
  { timeout: 90_000 },
  async () => {
    await serveOnSmallDisk();
    const program = startProgram(
      home,
      `process.stdin.on('data', async (data) => {
         const [from, to] = String(data).split(' ').map(Number);
         for (let n = from; n < to; n++) step(n);
         console.log(JSON.stringify(await flush()));
       });`,
    );
    program.child.stdin?.write('0 100\n');
    expect(JSON.parse(await program.line())).toMatchObject({ spooled: 0, dropped: 0 });
    const writers = openWriters();
    await writeSome(writers, 8);
    expect((await health()).status).toBe(200);

    fillDisk(filler());
    await useUpLog();
    const reason = 'Cannot write to the database: the disk is full';
    const paths = new Set<string>();
    for (const { next } of writers) {
      for (let index = 0; index < 20; index++) {
        const step = next();
        const answer = await send(service, step);
        paths.add(step.path);
        expect({ path: step.path, status: answer?.status }).toEqual({ path: step.path, status: 503 });
        expect(answer?.body).toMatchObject({ error_code: 'unavailable', reason });
        expect(answer?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }
    }
    expect([...paths].toSorted()).toEqual(WRITE_PATHS);
    await verify(writers);
    expect(await health()).toMatchObject({ status: 503, body: { status: 'unavailable', reason } });
    program.child.stdin?.write('100 300\n');
    expect(JSON.parse(await program.line())).toMatchObject({ dropped: 0 });
    expect(await stepsOf(service)).toEqual(upTo(100));

    rmSync(filler());
    await vi.waitFor(async () => expect(await health()).toEqual({ status: 200, body: { status: 'ok' } }), {
      timeout: 10_000,
    });
    await writeSome(writers, 6);
    await verify(writers);
    program.child.stdin?.write('300 301\n');
    expect(JSON.parse(await program.line())).toMatchObject({ spooled: 0, dropped: 0 });
    await vi.waitFor(async () => expect(await stepsOf(service)).toEqual(upTo(301)), { timeout: 60_000 });
    expect(await runCli(home, 'check', '--data', join(disk, 'data'))).toMatchObject({ code: 0 });
  },
);

test.skipIf(!canMount)(
  'a disk without room for a large batch is not healthy until there is, though small ones go',
  async () => {
    await serveOnSmallDisk();
    const startOf = (id: string, text: string) => ({
      start: { project_id: PROJECT, id, op_name: 'f', started_at: '2026-01-01T00:00:00Z', inputs: { text } },
    });
    expect((await post(service, '/call/start', startOf('c0', ''))).status).toBe(200);
    fillDisk(filler());
    truncateSync(filler(), statSync(filler()).size - 2_500_000);
    const large = { batch: [{ mode: 'start', req: startOf('c1', randomBytes(4_000_000).toString('base64')) }] };
    for (let round = 0; round < 3; round++) {
      expect((await post(service, '/call/upsert_batch', large)).status).toBe(503);
      expect((await post(service, '/call/start', startOf('c0', ''))).status).toBe(200);
      expect((await health()).status).toBe(503);
      // Not the same attempt.
      await setTimeout(1100);
      expect((await health()).status).toBe(503);
    }
    rmSync(filler());
    await vi.waitFor(async () => expect((await health()).status).toBe(200), { timeout: 10_000 });
    expect((await post(service, '/call/upsert_batch', large)).status).toBe(200);
  },
);

test.skipIf(!canMount)('a service that is killed while its disk is full has lost nothing', async () => {
  await serveOnSmallDisk();
  const writers = openWriters();
  await writeSome(writers, 6);
  fillDisk(filler());
  await useUpLog();
  await service.stop('SIGKILL');
  rmSync(filler());
  await serve();
  await verify(writers);
  await writeSome(writers, 2);
  await verify(writers);
  expect(await health()).toMatchObject({ status: 200 });
});

test.runIf(!canMount)(
  'SKIPPED on this machine, which lets us mount no small disk: what happens when the disk is full',
  () => {
    expect(canMount).toBe(false);
  },
);
