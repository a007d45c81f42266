import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Queues from 'p-queue';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Delivery, type DeliveryOptions } from '../../src/delivery/delivery.ts';
import { HttpTransport } from '../../src/delivery/transport/http-transport.ts';
import { start } from './call-records.ts';
import { RecordingService, respond } from './recording-service.ts';

// What fails on this side of the way, and what may not come of it.

/** A package that cannot be loaded now, as in a process that is out of file handles. */
const broken = vi.hoisted(() => ({ isNow: false }));

vi.mock('p-queue', async (importOriginal) => {
  const { default: Queue } = await importOriginal<typeof Queues>();
  return {
    get default() {
      if (broken.isNow) throw new Error('EMFILE: too many open files');
      return Queue;
    },
  };
});

let home: string;
let service: RecordingService;
let problems: string[];
const open: Delivery[] = [];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'delivery-'));
  service = await RecordingService.start();
  problems = [];
  broken.isNow = false;
});

afterEach(async () => {
  for (const delivery of open.splice(0)) delivery.close();
  await service.stop();
  rmSync(home, { recursive: true, force: true });
});

function openDelivery(options: Partial<DeliveryOptions> = {}): Delivery {
  const delivery = new Delivery({
    home,
    resolveTarget: () => service.target,
    segmentTarget: { url: null, project: 'local/test' },
    openTransport: (to) => new HttpTransport({ ...to, version: '0', timeoutMs: 10_000 }),
    report: (kind) => problems.push(kind),
    random: () => 0.01,
    ...options,
  });
  open.push(delivery);
  return delivery;
}

function segments(): string[] {
  return readdirSync(join(home, 'spool'));
}

test(
  'a part that cannot be loaded rejects no flush, and its records arrive once it can be',
  { timeout: 20_000 },
  async () => {
    broken.isNow = true;
    const delivery = openDelivery();
    delivery.writeCall(start('c1'));
    expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 0, spooled: 1, dropped: 0 });
    expect(problems).toContain('internal');
    broken.isNow = false;
    await vi.waitFor(() => expect(delivery.stats()).toMatchObject({ sent: 1, spooled: 0 }), { timeout: 10_000 });
  },
);

test('what waits on disk is delivered without another record, however it came there', { timeout: 20_000 }, async () => {
  const delivery = openDelivery();
  delivery.writeCall(start('c1'));
  delivery.spoolNow();
  expect(delivery.stats()).toMatchObject({ spooled: 1 });
  await vi.waitFor(() => expect(delivery.stats()).toMatchObject({ sent: 1, spooled: 0 }), { timeout: 10_000 });
});

test('a segment that cannot be read is kept, and nothing of it counts as sent', async () => {
  const delivery = openDelivery();
  delivery.writeCall(start('c1'));
  delivery.spoolNow();
  const [name = ''] = segments();
  const path = join(home, 'spool', name);
  // A folder in place of the file: nobody can read that, whatever his rights are.
  rmSync(path);
  mkdirSync(path);
  await delivery.flush({ timeoutMs: 5000 });
  expect(delivery.stats()).toMatchObject({ sent: 0, spooled: 1, dropped: 0 });
  expect(problems).toContain('spool-unreadable');
  expect(segments()).toEqual([name]);
});

test('a segment that somebody removed counts as lost', async () => {
  const delivery = openDelivery();
  delivery.writeCall(start('c1'));
  delivery.spoolNow();
  rmSync(join(home, 'spool'), { recursive: true });
  await delivery.flush({ timeoutMs: 5000 });
  expect(delivery.stats()).toMatchObject({ sent: 0, spooled: 0, dropped: 1, droppedByReason: { 'spool-damaged': 1 } });
});

test.each([
  ['at its start', 0],
  ['in its middle', 2],
  ['at its end', 4],
])('a segment of this process that was damaged %s is kept aside, and what is whole of it arrives', async (_, at) => {
  const delivery = openDelivery();
  for (let index = 0; index < 5; index++) delivery.writeCall(start(`c${index}`));
  delivery.spoolNow();
  const [name = ''] = segments();
  const path = join(home, 'spool', name);
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.map((line, index) => (index === at + 1 ? line.slice(0, 30) : line)).join('\n'));
  await delivery.flush({ timeoutMs: 5000 });
  expect(delivery.stats()).toMatchObject({ sent: 4, spooled: 0, dropped: 1, droppedByReason: { 'spool-damaged': 1 } });
  expect(problems).toContain('spool-damaged');
  expect(segments()).toEqual([expect.stringMatching(/\.damaged$/)]);
});

test('a segment of this process that was cut off is kept aside', async () => {
  const delivery = openDelivery();
  for (let index = 0; index < 5; index++) delivery.writeCall(start(`c${index}`));
  delivery.spoolNow();
  const path = join(home, 'spool', segments()[0] ?? '');
  truncateSync(path, statSync(path).size - 100);
  await delivery.flush({ timeoutMs: 5000 });
  expect(delivery.stats()).toMatchObject({ sent: 4, spooled: 0, dropped: 1, droppedByReason: { 'spool-damaged': 1 } });
  expect(segments()).toEqual([expect.stringMatching(/\.damaged$/)]);
});

test('a flush does not wait for what ended programs left; a natural end does', async () => {
  const ended = openDelivery({ resolveTarget: () => undefined });
  ended.writeCall(start('old'));
  ended.close();
  const held: (() => void)[] = [];
  service.answer = ({ body }, response) => {
    if (!JSON.stringify(body).includes('"old"')) return false;
    held.push(() => respond(response, 200, { res: [{}] }));
    return true;
  };
  const delivery = openDelivery();
  delivery.writeCall(start('own'));
  expect(await delivery.flush({ timeoutMs: 20_000 })).toEqual({ sent: 1, spooled: 0, dropped: 0 });
  await vi.waitFor(() => expect(held).toHaveLength(1), 10_000);
  const end = delivery.flush({ timeoutMs: 20_000, withOrphans: true });
  expect(await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))])).toBe('waits');
  held[0]?.();
  await end;
  expect(segments()).toEqual([]);
});

test(
  'what ended programs left is delivered also when the service comes later than the word of it',
  { timeout: 20_000 },
  async () => {
    let isThere = false;
    const delivery = openDelivery({ resolveTarget: () => (isThere ? service.target : undefined) });
    const ended = openDelivery({ resolveTarget: () => undefined });
    ended.writeCall(start('old'));
    ended.close();
    delivery.seekOrphans();
    isThere = true;
    await vi.waitFor(() => expect(service.items).toEqual(['start old']), { timeout: 10_000 });
    // The service has it before its answer is here, with which the segment goes.
    await vi.waitFor(() => expect(segments()).toEqual([]), { timeout: 10_000 });
  },
);

test('what is recorded after the end of a delivery is free for others, who are told', async () => {
  const onOrphan = vi.fn<() => void>();
  const delivery = openDelivery({ onOrphan });
  delivery.close();
  expect(onOrphan).not.toHaveBeenCalled();
  delivery.writeCall(start('late'));
  expect(delivery.stats()).toMatchObject({ spooled: 1, dropped: 0 });
  delivery.writeCall(start('later'));
  await vi.waitFor(() => expect(onOrphan).toHaveBeenCalledOnce(), 10_000);
  expect(delivery.stats()).toMatchObject({ spooled: 2, dropped: 0 });
  expect(segments()).toEqual([expect.stringContaining('.free.')]);
});
