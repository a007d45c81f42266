import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Delivery, type DeliveryOptions } from '../../src/delivery/delivery.ts';
import { drain } from '../../src/delivery/spooled/drain.ts';
import { HttpTransport } from '../../src/delivery/transport/http-transport.ts';
import { digestBytes, digestJson, digestTable } from '../../src/protocol/values/digest.ts';
import { start } from './call-records.ts';
import { type ReceivedRequest, RecordingService, respond } from './recording-service.ts';

// What answers is not always the service: nothing that somebody else says costs a record.

let home: string;
let service: RecordingService;
let problems: [kind: string, message: string][];
const open: Delivery[] = [];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'delivery-'));
  service = await RecordingService.start();
  problems = [];
});

afterEach(async () => {
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
    resolveTarget: () => service.target,
    segmentTarget: { url: null, project: 'local/test' },
    openTransport,
    report,
    random: () => 0.001,
    ...options,
  });
  open.push(delivery);
  return delivery;
}

const projectId = 'local/test';

/** One of each kind of send. */
function recordAll(delivery: Delivery, id = '1'): void {
  const bytes = Buffer.from(`content ${id}`);
  const rowDigests = [digestJson({ n: id })];
  delivery.writeCall(start(`call-${id}`));
  delivery.writeCall(start(`other-${id}`));
  delivery.writeObject({ projectId, objectId: `object-${id}`, val: { n: 1 }, digest: id, files: [] });
  delivery.writeFile({ projectId, name: `file-${id}`, bytes, digest: digestBytes(bytes) });
  delivery.writeTable({ projectId, rows: [{ n: id }], rowDigests, digest: digestTable(rowDigests) });
}

/** What of these has arrived. */
function arrived(): object {
  return {
    calls: [...new Set(service.items)].toSorted(),
    objects: new Set(service.objects.map((body) => JSON.stringify(body))).size,
    files: new Set(service.files.map((body) => JSON.stringify(body))).size,
    tables: new Set(service.tables.map((body) => JSON.stringify(body))).size,
  };
}

const ALL = { calls: ['start call-1', 'start other-1'], objects: 1, files: 1, tables: 1 };
const NONE = { calls: [], objects: 0, files: 0, tables: 0 };

function segments(): string[] {
  return readdirSync(join(home, 'spool'));
}

const PAGE = '<html><title>Please log in</title></html>';

/** Bodies of those who are no trace service. */
const BODIES: readonly (readonly [name: string, contentType: string | undefined, body: string])[] = [
  ['no body', undefined, ''],
  ['a page', 'text/html', PAGE],
  ['JSON of somebody else', 'application/json', '{"error":{"code":"denied"}}'],
  ['a list that acknowledges nothing', 'application/json', '{"res":[]}'],
  ['a code that is none of ours', 'application/json', '{"reason":"no","error_code":"denied"}'],
];

const STATUSES = [
  200,
  201,
  202,
  204,
  206,
  226,
  300,
  301,
  302,
  303,
  304,
  307,
  308,
  399,
  ...Array.from({ length: 52 }, (_, index) => 400 + index),
  460,
  494,
  495,
  496,
  497,
  499,
  500,
  501,
  502,
  503,
  504,
  511,
  520,
  530,
  599,
];

function answerWith(status: number, contentType: string | undefined, body: string) {
  return (_request: ReceivedRequest, response: ServerResponse): true => {
    response.writeHead(status, contentType === undefined ? {} : { 'content-type': contentType }).end(body);
    return true;
  };
}

describe.each(BODIES)('nothing is lost to %s', (name, contentType, body) => {
  test.each(STATUSES)('with %i', async (status) => {
    service.answer = answerWith(status, contentType, body);
    const delivery = openDelivery();
    recordAll(delivery);
    await delivery.flush({ timeoutMs: 10_000 });
    expect(arrived()).toEqual(NONE);
    expect(delivery.stats()).toMatchObject({ spooled: 2, dropped: 0, objects: { spooled: 3, dropped: 0 } });
    expect(problems.length).toBeGreaterThan(0);
    for (const [kind, message] of problems) {
      expect([name, kind]).toEqual([name, expect.stringMatching(/^(wrong-address|key-refused|unreachable)$/)]);
      expect(message).toContain(`${status}, `);
    }

    service.answer = () => false;
    await delivery.flush({ timeoutMs: 10_000 });
    expect(arrived()).toEqual(ALL);
    expect(delivery.stats()).toMatchObject({ sent: 2, spooled: 0, dropped: 0, objects: { sent: 3, spooled: 0 } });
    expect(segments()).toEqual([]);
  });

  test('that a drain comes across', async () => {
    const delivery = openDelivery();
    recordAll(delivery);
    delivery.close();
    const draining = { home, target: service.target, accepts: () => true, openTransport, report };
    for (const status of [200, 302, 400, 402, 404, 405, 407, 413, 415, 422, 451]) {
      service.answer = answerWith(status, contentType, body);
      expect(await drain(draining)).toMatchObject({ segments: 0, refused: 0, failure: expect.stringMatching(/^\d/) });
    }
    service.answer = () => false;
    expect(await drain(draining)).toMatchObject({ refused: 0, failure: undefined });
    expect(arrived()).toEqual(ALL);
  });
});

test('the word of the service costs what it names, and only that', async () => {
  service.answer = ({ path, body }, response) => {
    const isBad = path === '/call/upsert_batch' ? JSON.stringify(body).includes('call-1') : path === '/obj/create';
    return isBad && respond(response, 400, { reason: 'no', error_code: 'invalid_request', request_id: 'r' });
  };
  const delivery = openDelivery();
  recordAll(delivery);
  await delivery.flush({ timeoutMs: 10_000 });
  expect(arrived()).toEqual({ ...ALL, calls: ['start other-1'], objects: 0 });
  expect(delivery.stats()).toMatchObject({ sent: 1, dropped: 1, objects: { sent: 2, dropped: 1 } });
});

test.each([1, 2, 3, 100, 700])(
  '%i items that the service names take no others with them, in few requests',
  async (bad) => {
    const isBad = (id: string) => id.startsWith('bad');
    service.answer = ({ path, body }, response) => {
      if (path !== '/call/upsert_batch') return false;
      const { batch } = body as { batch: { req: { start: { id: string } } }[] };
      const named = batch.flatMap(({ req }, index) => (isBad(req.start.id) ? [index] : [])).slice(0, 100);
      if (named.length === 0) return false;
      const detail = named.map((index) => ({
        loc: ['body', 'batch', index, 'req', 'start', 'id'],
        msg: 'bad id',
        type: 'x',
      }));
      return respond(response, 422, { reason: 'no', error_code: 'invalid_id', detail });
    };
    const delivery = openDelivery();
    for (let n = 0; n < 1000; n++) delivery.writeCall(start(`${n % 1000 < bad ? 'bad' : 'good'}-${n}`));
    await delivery.flush({ timeoutMs: 10_000 });
    expect(delivery.stats()).toMatchObject({ sent: 1000 - bad, dropped: bad, droppedByReason: { refused: bad } });
    expect(new Set(service.items).size).toBe(1000 - bad);
    // One for each hundred that an answer can name, and one for the rest of each batch.
    expect(service.requests.length).toBeLessThanOrEqual(Math.ceil(bad / 100) + 5);
    expect(problems).toContainEqual(['record-refused', expect.stringMatching(/call "bad-\d+": bad id/)]);
  },
);

describe('somebody on the way who lets the service through, but not all', () => {
  test('such as long bodies: shorter ones are sent', async () => {
    const sizes: number[] = [];
    service.answer = (request, response) => {
      const size = Number(request.headers['content-length']);
      sizes.push(size);
      return size > 20_000 && answerWith(413, 'text/html', PAGE)(request, response);
    };
    const delivery = openDelivery();
    for (let n = 0; n < 300; n++) delivery.writeCall(start(`c${n}`, { text: 'x'.repeat(1000) }));
    await delivery.flush({ timeoutMs: 10_000 });
    expect(delivery.stats()).toMatchObject({ sent: 300, spooled: 0, dropped: 0 });
    expect(Math.max(...sizes)).toBeGreaterThan(20_000);
    expect(problems).toEqual([]);
  });

  test.each([400, 403, 404, 406, 451])(
    'such as a word, with %i: it waits on disk, and all else arrives',
    async (status) => {
      let isBlocking = true;
      service.answer = (request, response) =>
        isBlocking &&
        JSON.stringify(request.body).includes('DROP TABLE') &&
        answerWith(status, 'text/html', PAGE)(request, response);
      const delivery = openDelivery();
      for (let n = 0; n < 50; n++) delivery.writeCall(start(`c${n}`, { text: n === 17 ? 'DROP TABLE' : '' }));
      delivery.writeObject({ projectId, objectId: 'o', val: { text: 'DROP TABLE' }, digest: 'o', files: [] });
      delivery.writeObject({ projectId, objectId: 'p', val: {}, digest: 'p', files: [] });
      await delivery.flush({ timeoutMs: 10_000 });
      // These may be about the key or the address, until these are seen to be right.
      if ([403, 404].includes(status)) await delivery.flush({ timeoutMs: 10_000 });
      expect(new Set(service.items).size).toBe(49);
      expect(delivery.stats()).toMatchObject({ dropped: 0, objects: { sent: 1, spooled: 1, dropped: 0 } });
      const message = expect.stringMatching(
        /^Cannot deliver (a record of call "c17"|the object "o") to .+Please log in/,
      );
      expect(problems.map(([kind, text]) => [kind, text])).toContainEqual(['blocked', message]);
      // What came later is not held back by it.
      delivery.writeCall(start('later'));
      await delivery.flush({ timeoutMs: 10_000 });
      expect(service.items).toContain('start later');

      isBlocking = false;
      delivery.close();
      const left = await drain({ home, target: service.target, accepts: () => true, openTransport, report });
      expect(left).toMatchObject({ failure: undefined });
      expect(new Set(service.items).size).toBe(51);
      expect(new Set(service.objects.map((body) => JSON.stringify(body))).size).toBe(2);
    },
  );
});

test('records for a service that asks to be left alone for a day are kept, not waited for', async () => {
  service.answer = (_request, response) => respond(response, 429, {}, { 'retry-after': '86400' });
  const delivery = openDelivery();
  recordAll(delivery);
  await delivery.flush({ timeoutMs: 10_000 });
  expect(delivery.stats()).toMatchObject({ spooled: 2, dropped: 0 });
});
