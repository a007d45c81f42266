import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Delivery, type DeliveryOptions } from '../../src/delivery/delivery.ts';
import { drain } from '../../src/delivery/spooled/drain.ts';
import { HttpTransport } from '../../src/delivery/transport/http-transport.ts';
import type { TransportTarget } from '../../src/delivery/transport/transport.ts';
import { performance } from '../../src/host/clock.ts';
import { digestBytes, digestJson, digestTable } from '../../src/protocol/values/digest.ts';
import { listSegments } from '../../src/spool/orphaned-segments.ts';
import { start } from './call-records.ts';
import { RecordingService, respond } from './recording-service.ts';

// A proxy or firewall lets some records never pass. They cost those who send, and those who pass, next to nothing.

const projectId = 'local/test';
const HOUR_MS = 3_600_000;

let home: string;
let service: RecordingService;
let target: TransportTarget | undefined;
let problems: [kind: string, message: string][];
let skippedMs: number;
const open: Delivery[] = [];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'delivery-'));
  service = await RecordingService.start();
  target = service.target;
  problems = [];
  skippedMs = 0;
  const { now } = performance;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + skippedMs);
});

afterEach(async () => {
  vi.restoreAllMocks();
  for (const delivery of open.splice(0)) delivery.close();
  await service.stop();
  rmSync(home, { recursive: true, force: true });
});

const report: DeliveryOptions['report'] = (kind, message) => void problems.push([kind, message]);
const openTransport: DeliveryOptions['openTransport'] = (to) =>
  new HttpTransport({ ...to, version: '0', timeoutMs: 10_000 });

function openDelivery(options: Partial<DeliveryOptions> = {}): Delivery {
  const delivery = new Delivery({
    home,
    resolveTarget: () => target,
    segmentTarget: { url: null, project: projectId },
    openTransport,
    report,
    random: () => 0.001,
    ...options,
  });
  open.push(delivery);
  return delivery;
}

/** Nothing with this word passes. */
function block(word: string, status = 413): void {
  service.answer = ({ body }, response) => {
    if (!JSON.stringify(body).includes(word)) return false;
    response.writeHead(status, { 'content-type': 'text/html' }).end('<title>Denied</title>');
    return true;
  };
}

/** Requests that were made, without those that ask whether others are taken. */
const bodies = () => service.requests.map(({ body }) => JSON.stringify(body)).filter((body) => body !== '{"batch":[]}');

/** Writes so many to disk, some of them blocked. */
async function spool(delivery: Delivery, count: number, blocked: number): Promise<void> {
  target = undefined;
  for (let n = 0; n < count; n++) {
    const isBlocked = n % Math.floor(count / blocked) === 0 && n / Math.floor(count / blocked) < blocked;
    delivery.writeCall(start(`${isBlocked ? 'bad' : 'good'}-${n}`));
  }
  await delivery.flush({ timeoutMs: 10_000 });
  target = service.target;
}

describe.each([1, 3, 40])('of records on disk %i do not pass', (blocked) => {
  test('all others are sent once, and counted', async () => {
    block('bad-');
    const delivery = openDelivery();
    await spool(delivery, 3000, blocked);
    await delivery.flush({ timeoutMs: 20_000 });
    expect(delivery.stats()).toMatchObject({ sent: 3000 - blocked, spooled: blocked, dropped: 0 });
    expect(new Set(service.items).size).toBe(3000 - blocked);
    expect(service.items).toHaveLength(3000 - blocked);

    service.requests.length = 0;
    skippedMs += HOUR_MS;
    await delivery.flush({ timeoutMs: 20_000 });
    expect(bodies().filter((body) => body.includes('good-'))).toEqual([]);
    expect(bodies().filter((body) => body.includes('bad-')).length).toBeGreaterThan(0);

    service.answer = () => false;
    skippedMs += HOUR_MS;
    await delivery.flush({ timeoutMs: 20_000 });
    expect(delivery.stats()).toMatchObject({ sent: 3000, spooled: 0, dropped: 0 });
    expect(service.items).toHaveLength(3000);
    expect(listSegments(home)).toEqual([]);
  });

  test('the same of an ended program', async () => {
    block('bad-');
    const ended = openDelivery();
    await spool(ended, 3000, blocked);
    ended.close();
    const delivery = openDelivery();
    await delivery.flush({ timeoutMs: 20_000, withOrphans: true });
    expect(service.items).toHaveLength(3000 - blocked);
    delivery.close();
    const draining = { home, target: service.target, accepts: () => true, openTransport, report };
    service.requests.length = 0;
    expect(await drain(draining)).toMatchObject({ segments: 0, refused: 0, failure: expect.any(String) });
    expect(bodies().filter((body) => body.includes('good-'))).toEqual([]);
    service.answer = () => false;
    expect(await drain(draining)).toMatchObject({ segments: 1, failure: undefined });
    expect(service.items).toHaveLength(3000);
    expect(listSegments(home)).toEqual([]);
  });
});

test('"drain" leaves nothing but what does not pass', async () => {
  block('bad-');
  const ended = openDelivery();
  await spool(ended, 500, 2);
  ended.close();
  const draining = { home, target: service.target, accepts: () => true, openTransport, report };
  for (let round = 0; round < 3; round++) expect(await drain(draining)).toMatchObject({ segments: 0 });
  expect(service.items).toHaveLength(498);
});

test('it is tried less and less often, but at least once in an hour', async () => {
  block('bad-');
  const delivery = openDelivery();
  await spool(delivery, 10, 1);
  await delivery.flush({ timeoutMs: 20_000 });
  const tries: number[] = [];
  service.requests.length = 0;
  for (let minute = 0.5; minute <= 8 * 60; minute += 0.5) {
    skippedMs += 30_000;
    await delivery.flush({ timeoutMs: 20_000 });
    if (bodies().length > 0) tries.push(minute);
    service.requests.length = 0;
  }
  const pauses = tries.map((minute, index) => minute - (tries[index - 1] ?? 0));
  expect(tries.length).toBeGreaterThan(10);
  expect(tries.length).toBeLessThan(20);
  expect(pauses[0]).toBeLessThanOrEqual(1);
  expect(Math.max(...pauses)).toBeGreaterThanOrEqual(60);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(60.5);
});

test('of objects, files and tables each stays with what it needs, and all else arrives', async () => {
  block('blocked-');
  const delivery = openDelivery();
  target = undefined;
  const rows = (word: string, from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ n: `${word}-${from + index}` }));
  const table = (list: readonly { n: string }[], base?: { digest: string; count: number }) => {
    const rowDigests = list.map((row) => digestJson(row));
    const digest = digestTable(rowDigests);
    delivery.writeTable({ projectId, rows: list, rowDigests, digest, ...(base ? { base } : {}) });
    return { digest, count: list.length };
  };
  const file = (text: string) => {
    const bytes = Buffer.from(text);
    return { projectId, name: text, bytes, digest: digestBytes(bytes) };
  };
  const [ofBlocked, ofFree] = [rows('blocked', 0, 3), rows('free', 0, 3)];
  const blockedBase = table(ofBlocked);
  const freeBase = table(ofFree);
  table([...ofBlocked, ...rows('more', 0, 2)], blockedBase);
  table([...ofFree, ...rows('more', 5, 2)], freeBase);
  delivery.writeObject({ projectId, objectId: 'a', val: { n: 1 }, digest: 'a', files: [file('blocked-file')] });
  delivery.writeObject({ projectId, objectId: 'b', val: 'blocked-value', digest: 'b', files: [file('of b')] });
  delivery.writeObject({ projectId, objectId: 'c', val: { n: 3 }, digest: 'c', files: [file('of c')] });
  delivery.writeFile(file('alone'));
  await delivery.flush({ timeoutMs: 20_000 });
  expect(delivery.stats().objects).toMatchObject({ spooled: 8 });
  target = service.target;
  await delivery.flush({ timeoutMs: 20_000 });
  expect(delivery.stats().objects).toMatchObject({ sent: 4, spooled: 4, dropped: 0 });
  expect(service.objects).toHaveLength(1);
  expect(service.tables).toHaveLength(2);

  service.answer = () => false;
  skippedMs += HOUR_MS;
  await delivery.flush({ timeoutMs: 20_000 });
  expect(delivery.stats().objects).toMatchObject({ sent: 8, spooled: 0, dropped: 0 });
  expect(service.objects).toHaveLength(3);
  // The base before what continues it.
  const [base, more] = service.tables.slice(2).map((body) => JSON.stringify(body));
  expect(base).toContain('blocked-0');
  expect(more).toContain('more-0');
});

describe.each([400, 401, 403, 404, 406, 413, 451])('the first refusal of somebody on the way is a %i', (status) => {
  test('to one record: what was acknowledged before shows that key and address are right', async () => {
    block('bad-', status);
    const delivery = openDelivery();
    delivery.writeCall(start('good-1'));
    await delivery.flush({ timeoutMs: 20_000 });
    delivery.writeCall(start('bad-2'));
    delivery.writeCall(start('good-3'));
    await delivery.flush({ timeoutMs: 20_000 });
    expect(service.items).toEqual(['start good-1', 'start good-3']);
    expect(new Set(problems.map(([kind]) => kind))).toEqual(new Set(['blocked']));
  });

  test('to all there is: nothing was wrong with the records', async () => {
    const delivery = openDelivery();
    delivery.writeCall(start('good-1'));
    await delivery.flush({ timeoutMs: 20_000 });
    block('batch', status);
    delivery.writeCall(start('good-2'));
    await delivery.flush({ timeoutMs: 20_000 });
    expect(problems.map(([kind]) => kind)).toEqual([[401, 403].includes(status) ? 'key-refused' : 'wrong-address']);
    expect(delivery.stats()).toMatchObject({ sent: 1, spooled: 1, dropped: 0 });
  });
});

describe('without a disk', () => {
  test('nothing that is said names one', async () => {
    block('bad-');
    const delivery = openDelivery({ home: undefined });
    for (const name of ['bad-1', 'good-2']) delivery.writeCall(start(name));
    await delivery.flush({ timeoutMs: 1000 });
    await vi.waitFor(() => expect(problems.map(([kind]) => kind)).toContain('blocked'), { timeout: 20_000 });
    block('batch', 401);
    // Until then the key is believed to be right, as it just was.
    skippedMs += 2000;
    delivery.writeCall(start('good-3'));
    await delivery.flush({ timeoutMs: 1000 });
    await vi.waitFor(() => expect(problems.map(([kind]) => kind)).toContain('key-refused'), { timeout: 20_000 });
    const said = problems.map(([, message]) => message);
    expect(said.filter((message) => message.includes('kept on disk'))).toEqual([]);
    expect(said.filter((message) => message.includes('in memory'))).not.toEqual([]);
  });

  test.each([
    ['no folder', () => undefined, {}],
    ['a file in its place', () => join(home, 'file'), {}],
    ['no room in it', () => home, { spoolBytes: 50 }],
  ])('nothing that is said at the end of a process promises anything: %s', async (_name, place, options) => {
    writeFileSync(join(home, 'file'), '');
    service.answer = (_request, response) => respond(response, 503, { reason: 'busy' });
    const delivery = openDelivery({ home: place(), random: () => 1, ...options });
    delivery.writeCall(start('one'));
    void delivery.flush({ timeoutMs: 10_000 });
    await vi.waitFor(() => expect(delivery.stats().lastError).toBeDefined(), { timeout: 20_000 });
    delivery.end({ deliverMs: 0 });
    expect(delivery.stats()).toMatchObject({ queued: 0, spooled: 0, dropped: 1 });
    const said = problems.map(([kind, message]) => `${kind}: ${message}`);
    expect(said.filter((message) => /kept on disk|in memory|when it answers|again/.test(message))).toEqual([]);
    expect(said.filter((message) => message.startsWith('unreachable: Cannot deliver to'))).toHaveLength(1);
  });

  test('what does not pass is written to one that can be had when a signal comes', async () => {
    block('bad-');
    const later = join(home, 'later');
    writeFileSync(later, '');
    const delivery = openDelivery({ home: later });
    delivery.writeCall(start('bad-1'));
    delivery.writeObject({ projectId, objectId: 'bad-object', val: 1, digest: 'a', files: [] });
    delivery.writeCall(start('good-2'));
    await delivery.flush({ timeoutMs: 1000 });
    const waiting = { sent: 1, queued: 1, spooled: 0, objects: { queued: 1, spooled: 0 } };
    await vi.waitFor(() => expect(delivery.stats()).toMatchObject(waiting), { timeout: 20_000 });
    rmSync(later);
    delivery.spoolNow({ isEnding: true });
    expect(delivery.stats()).toMatchObject({ queued: 0, spooled: 1, objects: { queued: 0, spooled: 1 } });
  });

  test.each([1, 100])(
    '%i records that do not pass wait in memory, and are tried less and less often',
    async (blocked) => {
      block('bad-');
      const delivery = openDelivery({ home: undefined });
      for (let n = 0; n < 300; n++) delivery.writeCall(start(`${n < blocked ? 'bad' : 'good'}-${n}`));
      delivery.writeObject({ projectId, objectId: 'bad-object', val: 1, digest: 'a', files: [] });
      delivery.writeObject({ projectId, objectId: 'object', val: 1, digest: 'b', files: [] });
      const expected = {
        sent: 300 - blocked,
        queued: blocked,
        dropped: 0,
        objects: { sent: 1, queued: 1, dropped: 0 },
      };
      await delivery.flush({ timeoutMs: 1000 });
      await vi.waitFor(() => expect(delivery.stats()).toMatchObject(expected), { timeout: 20_000 });
      const rounds: number[] = [];
      for (let n = 0; n < 20; n++) {
        service.requests.length = 0;
        skippedMs += 600_000;
        // What is recorded now arrives, so those that wait had their turn.
        delivery.writeCall(start(`good-later-${n}`));
        await vi.waitFor(() => expect(service.items).toContain(`start good-later-${n}`), {
          interval: 1,
          timeout: 20_000,
        });
        await service.quiet();
        rounds.push(bodies().filter((body) => body.includes('bad-')).length);
      }
      const tried = rounds.filter((count) => count > 0).length;
      expect(tried).toBeGreaterThan(2);
      expect(tried).toBeLessThan(12);
      expect(delivery.stats()).toMatchObject({ dropped: 0, queued: blocked });

      service.answer = () => false;
      skippedMs += HOUR_MS;
      await delivery.flush({ timeoutMs: 20_000 });
      expect(delivery.stats()).toMatchObject({ sent: 320, queued: 0, dropped: 0, objects: { sent: 2, queued: 0 } });
    },
  );
});

test('a service that refuses empty batches as well is not asked without end', async () => {
  service.answer = ({ body }, response) => {
    const { batch } = body as { batch: unknown[] };
    if (batch.length === 0) return respond(response, 422, { reason: 'too few', error_code: 'validation_error' });
    response.writeHead(413).end();
    return true;
  };
  const delivery = openDelivery();
  for (let n = 0; n < 100; n++) delivery.writeCall(start(`c${n}`));
  await delivery.flush({ timeoutMs: 1000 });
  expect(delivery.stats()).toMatchObject({ spooled: 100, dropped: 0 });
  expect(service.requests.length).toBeLessThan(10);
});

test.each([400, 403, 404, 409, 410, 413, 418, 422, 451])(
  'a code of a newer service, with %i, keeps the record and says that the versions differ',
  async (status) => {
    service.answer = ({ body }, response) =>
      JSON.stringify(body).includes('bad-') &&
      respond(response, status, { reason: 'no', error_code: 'code_of_tomorrow', request_id: 'r' });
    const delivery = openDelivery();
    delivery.writeCall(start('good-1'));
    await delivery.flush({ timeoutMs: 20_000 });
    for (let n = 2; n < 100; n++) delivery.writeCall(start(n === 50 ? 'bad-50' : `good-${n}`));
    await delivery.flush({ timeoutMs: 20_000 });
    expect(service.items).toHaveLength(98);
    expect(delivery.stats()).toMatchObject({ sent: 98, spooled: 1, dropped: 0 });
    const message = new RegExp(`call "bad-50" .*${status}, no\\. The service .*bring .* to the same version`);
    expect(problems).toContainEqual(['blocked', expect.stringMatching(message)]);
    expect(problems.map(([kind]) => kind).filter((kind) => kind !== 'blocked')).toEqual([]);
  },
);
