import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Delivery, type DeliveryOptions } from '../../src/delivery/delivery.ts';
import { start } from './call-records.ts';
import { ScriptedService } from './scripted-service.ts';
import { tableOf } from './table-records.ts';

// A process that may be killed at any time: what a service was asked to take, and has not, is on disk as well.

let home: string;
let service: ScriptedService;
let delivery: Delivery;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'delivery-'));
  service = new ScriptedService();
  delivery = openDelivery();
});

afterEach(() => {
  service.mood = 'up';
  delivery.close();
  rmSync(home, { recursive: true, force: true });
});

function openDelivery(options: Partial<DeliveryOptions> = {}): Delivery {
  return new Delivery({
    home,
    resolveTarget: () => ({ url: 'http://service', apiKey: undefined }),
    segmentTarget: { url: null, project: 'local/test' },
    openTransport: service.openTransport,
    report: () => undefined,
    random: () => 0,
    ...options,
  });
}

function segments(): string[] {
  return readdirSync(join(home, 'spool'));
}

function publish(objectId: string): void {
  delivery.writeObject({ projectId: 'local/test', objectId, val: 1, digest: objectId, files: [] });
}

/** Some under way, which the service is silent about, and some that wait. */
async function writeSome(): Promise<void> {
  service.mood = 'slow';
  for (let n = 0; n < 10; n++) delivery.writeCall(start(`c${n}`));
  publish('o0');
  void delivery.flush({ timeoutMs: 60_000 });
  await vi.waitFor(() => expect(delivery.stats()).toMatchObject({ queued: 10, queuedBytes: 0 }), 10_000);
  for (let n = 10; n < 15; n++) delivery.writeCall(start(`c${n}`));
  publish('o1');
}

const ALL = Array.from({ length: 15 }, (_, n) => `start c${n}`);

test('all of it is on disk, and nothing is left there when the service has taken it', async () => {
  await writeSome();
  delivery.spoolNow({ isEnding: true });
  expect(delivery.stats()).toMatchObject({ queued: 0, spooled: 15, objects: { queued: 0, spooled: 2 } });
  const flushed = delivery.flush({ timeoutMs: 60_000 });
  service.mood = 'up';
  expect(await flushed).toEqual({ sent: 15, spooled: 0, dropped: 0 });
  expect(delivery.stats()).toMatchObject({ sent: 15, spooled: 0, objects: { sent: 2, spooled: 0 } });
  expect(new Set(ALL)).toEqual(service.takenCalls);
  expect(service.requests).toBe(4);
  expect(segments()).toEqual([]);
});

test('what does not get through is sent again from there', async () => {
  await writeSome();
  delivery.spoolNow({ isEnding: true });
  service.mood = 'down';
  await vi.waitFor(() => expect(delivery.isCutOff).toBe(true), { timeout: 10_000 });
  expect(delivery.stats()).toMatchObject({ sent: 0, spooled: 15 });
  service.mood = 'up';
  expect(await delivery.flush({ timeoutMs: 60_000 })).toMatchObject({ sent: 15, spooled: 0, dropped: 0 });
  expect(new Set(ALL)).toEqual(service.takenCalls);
  expect(segments()).toEqual([]);
});

test('a table under way is kept with all of its rows when its base is in another segment', async () => {
  delivery.close();
  delivery = openDelivery({ limits: { bytes: 10_000 } });
  service.mood = 'slow';
  const rows = ['a', 'b'].map((letter) => ({ text: letter.repeat(8000) }));
  // The older one makes room on disk.
  delivery.writeTable(tableOf(rows.slice(0, 1)));
  delivery.writeTable(tableOf(rows, 1));
  expect(delivery.stats().objects).toMatchObject({ queued: 1, spooled: 1 });
  void delivery.flush({ timeoutMs: 60_000 });
  await new Promise<void>((resolve) => setImmediate(resolve));
  delivery.spoolNow({ isEnding: true });
  expect(delivery.stats().objects).toMatchObject({ queued: 0, spooled: 2 });
  const texts = segments().map((file) => readFileSync(join(home, 'spool', file), 'utf8'));
  expect(texts.filter((text) => rows.every((row) => text.includes(row.text)))).toHaveLength(1);
});

test('what is refused is counted once', async () => {
  service.mood = 'slow';
  for (const id of ['c1', 'r-1', 'c2']) delivery.writeCall(start(id));
  publish('r-2');
  void delivery.flush({ timeoutMs: 60_000 });
  await vi.waitFor(() => expect(delivery.stats()).toMatchObject({ queued: 3, queuedBytes: 0 }), 10_000);
  delivery.spoolNow({ isEnding: true });
  const flushed = delivery.flush({ timeoutMs: 60_000 });
  service.mood = 'refusing';
  await flushed;
  expect(delivery.stats()).toMatchObject({ sent: 2, spooled: 0, dropped: 1, objects: { sent: 0, dropped: 1 } });
  expect(segments()).toEqual([]);
});

test('what the disk does not take stays under way', async () => {
  delivery.close();
  const file = join(home, 'file');
  writeFileSync(file, 'no folder');
  delivery = openDelivery({ home: file });
  await writeSome();
  delivery.spoolNow({ isEnding: true });
  expect(delivery.stats()).toMatchObject({ queued: 15, spooled: 0, objects: { queued: 2, spooled: 0 } });
  const flushed = delivery.flush({ timeoutMs: 60_000 });
  service.mood = 'up';
  expect(await flushed).toEqual({ sent: 15, spooled: 0, dropped: 0 });
  expect(service.requests).toBe(4);
});

test('what is recorded after it is on disk when the work that recorded it is over', async () => {
  service.mood = 'slow';
  delivery.spoolNow({ isEnding: true });
  delivery.writeCall(start('c1'));
  publish('o1');
  await new Promise<void>((resolve) => process.nextTick(resolve));
  expect(delivery.stats()).toMatchObject({ queued: 0, spooled: 1, objects: { queued: 0, spooled: 1 } });
});
