import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Delivery, type DeliveryOptions } from '../../src/delivery/delivery.ts';
import { HttpTransport } from '../../src/delivery/transport/http-transport.ts';
import type { ProblemKind } from '../../src/delivery/problem.ts';
import type { TransportTarget } from '../../src/delivery/transport/transport.ts';
import { listSegments } from '../../src/spool/orphaned-segments.ts';
import { end, start } from './call-records.ts';
import { RecordingService, respond } from './recording-service.ts';

let home: string;
let service: RecordingService;
let target: TransportTarget | undefined;
let problems: { kind: ProblemKind; message: string }[];
const open: Delivery[] = [];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'delivery-'));
  service = await RecordingService.start();
  target = service.target;
  problems = [];
});

afterEach(async () => {
  for (const delivery of open.splice(0)) delivery.close();
  await service.stop();
  rmSync(home, { recursive: true, force: true });
});

function openDelivery(options: Partial<DeliveryOptions> = {}, timeoutMs = 10_000): Delivery {
  const delivery = new Delivery({
    home,
    resolveTarget: () => target,
    segmentTarget: { url: null, project: 'local/test' },
    openTransport: (to) => new HttpTransport({ ...to, version: '0', timeoutMs }),
    report: (kind, message) => problems.push({ kind, message }),
    random: () => 0.01,
    ...options,
  });
  open.push(delivery);
  return delivery;
}

function expectBalance(delivery: Delivery): void {
  const { recorded, queued, sent, spooled, dropped } = delivery.stats();
  expect(queued + sent + spooled + dropped).toBe(recorded);
}

test('what was recorded arrives as one batch', async () => {
  const delivery = openDelivery();
  delivery.writeCall(start('c1'));
  delivery.writeCall(end('c1'));
  expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 2, spooled: 0, dropped: 0 });
  expect(service.items).toEqual(['start c1', 'end c1']);
  expect(service.requests).toHaveLength(1);
  expect(service.requests[0]?.headers.authorization).toBe(`Basic ${btoa('api:key-1')}`);
});

test('the service is looked for while the run is not known yet, which is told how much time there is', async () => {
  const order: string[] = [];
  let tell: () => void = () => undefined;
  const run = {
    begin: () => void order.push('began'),
    text: () => 'id=p0f3c9a1b2c3d4e5f',
    known: (timeoutMs: number) => {
      order.push(`asked for ${timeoutMs} ms`);
      return new Promise<void>((resolve) => (tell = resolve));
    },
  };
  const delivery = openDelivery({
    run,
    resolveTarget: () => {
      order.push('looked for a service');
      tell();
      return target;
    },
  });
  delivery.writeCall(start('c1'));
  expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 1, spooled: 0, dropped: 0 });
  expect(order.slice(0, 3)).toEqual(['began', 'asked for 5000 ms', 'looked for a service']);
  expect(service.requests[0]?.headers['svc-run']).toBe(run.text());
});

test('without a flush records arrive by themselves', async () => {
  const delivery = openDelivery();
  delivery.writeCall(start('c1'));
  await vi.waitFor(() => expect(service.items).toEqual(['start c1']), 10_000);
  await vi.waitFor(() => expect(delivery.stats().sent).toBe(1), 10_000);
});

test('without a service records wait on disk and arrive when one appears', async () => {
  target = undefined;
  const delivery = openDelivery();
  delivery.writeCall(start('c1'));
  expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 0, spooled: 1, dropped: 0 });
  expect(listSegments(home)).toHaveLength(1);
  target = service.target;
  delivery.writeCall(end('c1'));
  expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 2, spooled: 0, dropped: 0 });
  expect(service.items.sort()).toEqual(['end c1', 'start c1']);
  expect(listSegments(home)).toEqual([]);
});

test('the spool holds no key', async () => {
  target = undefined;
  const delivery = openDelivery({ segmentTarget: { url: 'https://traces.example.com', project: 'a/b' } });
  delivery.writeCall(start('c1'));
  await delivery.flush({ timeoutMs: 5000 });
  const path = listSegments(home)[0]?.name.path ?? '';
  expect(readFileSync(path, 'utf8')).toContain('traces.example.com');
  expect(readFileSync(path, 'utf8')).not.toContain('key-1');
});

test('what another process left for this target is delivered, what it left for others is not', async () => {
  const leave = async (url: string | null, project: string, id: string) => {
    const earlier = openDelivery({ resolveTarget: () => undefined, segmentTarget: { url, project } });
    earlier.writeCall(start(id));
    await earlier.flush({ timeoutMs: 5000 });
    earlier.close();
  };
  await leave(null, 'local/test', 'mine');
  await leave('https://elsewhere.example.com', 'local/test', 'elsewhere');
  await leave(null, 'local/other', 'other');
  const delivery = openDelivery();
  delivery.writeCall(start('c1'));
  await delivery.flush({ timeoutMs: 5000 });
  await vi.waitFor(() => expect(listSegments(home)).toHaveLength(2), 10_000);
  expect(service.items).toEqual(['start c1', 'start mine']);
  expect(delivery.stats()).toMatchObject({ recorded: 1, sent: 1 });
});

test('objects arrive after their files, and a file once', async () => {
  const delivery = openDelivery();
  const files = [{ projectId: 'local/test', name: 'obj.ts', digest: 'f1', bytes: Buffer.from('source') }];
  delivery.writeObject({ projectId: 'local/test', objectId: 'one', val: { n: 1 }, digest: 'd', files });
  await delivery.flush({ timeoutMs: 5000 });
  delivery.writeObject({ projectId: 'local/test', objectId: 'two', val: null, digest: 'd', files });
  await delivery.flush({ timeoutMs: 5000 });
  expect(service.requests.map(({ path }) => path)).toEqual(['/file/create', '/obj/create', '/obj/create']);
  expect(service.files).toEqual([{ project_id: 'local/test', name: 'obj.ts', content: btoa('source') }]);
  expect(service.objects).toEqual([
    { obj: { project_id: 'local/test', object_id: 'one', val: { n: 1 } } },
    { obj: { project_id: 'local/test', object_id: 'two', val: null } },
  ]);
  expect(delivery.stats().objects).toMatchObject({ recorded: 2, sent: 2 });
});

test('objects and files wait on disk too', async () => {
  target = undefined;
  const delivery = openDelivery();
  const files = [{ projectId: 'local/test', name: 'obj.ts', digest: 'f1', bytes: Buffer.from([0, 255, 10]) }];
  delivery.writeObject({ projectId: 'local/test', objectId: 'one', val: { n: 1 }, digest: 'd', files });
  await delivery.flush({ timeoutMs: 5000 });
  expect(delivery.stats().objects).toMatchObject({ recorded: 1, spooled: 1 });
  target = service.target;
  await delivery.flush({ timeoutMs: 5000 });
  expect(service.files).toMatchObject([{ name: 'obj.ts', content: Buffer.from([0, 255, 10]).toString('base64') }]);
  expect(service.objects).toHaveLength(1);
  expect(delivery.stats().objects).toMatchObject({ recorded: 1, sent: 1, spooled: 0 });
});

describe('when the service', () => {
  test.each([408, 425, 429, 500, 503])('answers %i for a while, all arrives, under one retry id', async (status) => {
    let failures = 3;
    service.answer = (_request, response) => failures-- > 0 && respond(response, status, { reason: 'later' });
    const delivery = openDelivery();
    delivery.writeCall(start('c1'));
    expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 1, spooled: 0, dropped: 0 });
    const ids = service.requests.map(({ headers }) => headers['svc-retry-id']);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(1);
  });

  test('asks to wait a second, it is left alone for that second', async () => {
    const times: number[] = [];
    service.answer = (_request, response) => {
      times.push(performance.now());
      return times.length === 1 && respond(response, 429, { reason: 'later' }, { 'retry-after': '1' });
    };
    const delivery = openDelivery();
    delivery.writeCall(start('c1'));
    await delivery.flush({ timeoutMs: 5000 });
    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThan(990);
  });

  test('fails five times in a row, records go to disk and arrive after the next flush', async () => {
    let isDown = true;
    service.answer = (_request, response) => isDown && respond(response, 503, { reason: 'down' });
    const delivery = openDelivery();
    delivery.writeCall(start('c1'));
    expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 0, spooled: 1, dropped: 0 });
    expect(service.requests).toHaveLength(5);
    expect(problems.map(({ kind }) => kind)).toEqual(['unreachable']);
    expectBalance(delivery);
    isDown = false;
    delivery.writeCall(end('c1'));
    expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 2, spooled: 0, dropped: 0 });
    expect(service.items.toSorted()).toEqual(['end c1', 'start c1']);
    expectBalance(delivery);
  });

  test.each([
    [401, 'key-refused'],
    [403, 'key-refused'],
    [404, 'wrong-address'],
  ])('answers %i, that is said once and nothing is lost', async (status, kind) => {
    let isWrong = true;
    service.answer = (_request, response) => isWrong && respond(response, status, { reason: 'no' });
    const delivery = openDelivery();
    delivery.writeCall(start('c1'));
    expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 0, spooled: 1, dropped: 0 });
    expect(service.requests).toHaveLength(1);
    expect(problems.map((problem) => problem.kind)).toEqual([kind]);
    isWrong = false;
    expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 1, spooled: 0, dropped: 0 });
  });

  test('is a proxy that answers 200 with a page, nothing counts as delivered', async () => {
    service.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please log in</html>');
      return true;
    };
    const delivery = openDelivery();
    delivery.writeCall(start('c1'));
    expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 0, spooled: 1, dropped: 0 });
    expect(problems.map(({ kind }) => kind)).toEqual(['wrong-address']);
  });

  test('redirects, the key does not follow', async () => {
    const elsewhere = await RecordingService.start();
    service.answer = (_request, response) => respond(response, 307, {}, { location: `${elsewhere.url}/` });
    const delivery = openDelivery();
    delivery.writeCall(start('c1'));
    expect(await delivery.flush({ timeoutMs: 5000 })).toMatchObject({ spooled: 1 });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.stop();
  });

  test.each([400, 413, 422])('refuses one record with %i, the others arrive', async (status) => {
    service.answer = ({ body }, response) =>
      JSON.stringify(body).includes('poison') &&
      respond(response, status, { reason: 'bad record', error_code: 'invalid_request' });
    const delivery = openDelivery();
    for (let i = 0; i < 300; i++) delivery.writeCall(start(i === 77 ? 'poison' : `c${i}`));
    expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 299, spooled: 0, dropped: 1 });
    expect(new Set(service.items).size).toBe(299);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toBe(`The service refused a record of call "poison": ${status}, bad record`);
    expect(delivery.stats().droppedByReason).toEqual({ refused: 1 });
    expectBalance(delivery);
  });

  test('resets the connection, all arrives', async () => {
    let resets = 2;
    service.answer = (_request, response) => {
      if (resets-- <= 0) return false;
      response.socket?.resetAndDestroy();
      return true;
    };
    const delivery = openDelivery();
    delivery.writeCall(start('c1'));
    expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 1, spooled: 0, dropped: 0 });
  });

  test.each(['nothing', 'half an answer'])('hangs after %s, the request is given up and tried again', async (what) => {
    let hangs = 1;
    service.answer = (_request, response) => {
      if (hangs-- <= 0) return false;
      if (what !== 'nothing') response.writeHead(200, { 'content-length': '100' }).write('{"res":');
      return true;
    };
    const delivery = openDelivery({}, 200);
    delivery.writeCall(start('c1'));
    expect(await delivery.flush({ timeoutMs: 20_000 })).toEqual({ sent: 1, spooled: 0, dropped: 0 });
    const ids = service.requests.map(({ headers }) => headers['svc-retry-id']);
    // On a machine that stands still for so long one more is given up.
    expect(ids.length).toBeGreaterThanOrEqual(2);
    expect(new Set(ids).size).toBe(1);
  });

  test('is away and comes back, all arrives', async () => {
    await service.stop();
    const delivery = openDelivery();
    for (let i = 0; i < 1000; i++) delivery.writeCall(start(`c${i}`));
    expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 0, spooled: 1000, dropped: 0 });
    await service.listen();
    expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 1000, spooled: 0, dropped: 0 });
    expect(new Set(service.items).size).toBe(1000);
  });

  test('moves to another address, records follow', async () => {
    const delivery = openDelivery();
    delivery.writeCall(start('c1'));
    await delivery.flush({ timeoutMs: 5000 });
    const next = await RecordingService.start();
    target = next.target;
    await service.stop();
    delivery.writeCall(end('c1'));
    expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: 2, spooled: 0, dropped: 0 });
    expect(next.items).toEqual(['end c1']);
    await next.stop();
  });

  test('ends and says so, nobody waits for it', async () => {
    const delivery = openDelivery();
    delivery.writeCall(start('c1'));
    await delivery.flush({ timeoutMs: 5000 });
    await service.stop();
    target = undefined;
    delivery.writeCall(end('c1'));
    await vi.waitFor(() => expect(delivery.stats()).toMatchObject({ sent: 1, spooled: 1, dropped: 0 }), 10_000);
    expect(problems).toEqual([]);
  });

  test('is far away, large bodies are compressed', async () => {
    // Reaches this machine, and is not an address of loopback.
    target = { url: service.url.replace('127.0.0.1', '0.0.0.0'), apiKey: 'key-1' };
    const delivery = openDelivery();
    delivery.writeCall(start('c1', { text: 'x'.repeat(20_000) }));
    expect(await delivery.flush({ timeoutMs: 5000 })).toMatchObject({ sent: 1 });
    expect(service.requests[0]?.headers['content-encoding']).toBe('gzip');
  });
});

test('a service that is away while the disk takes nothing keeps what it can in memory, and losses are counted', async () => {
  target = undefined;
  const delivery = openDelivery({ home: undefined, limits: { items: 1000 } });
  for (let i = 0; i < 5000; i++) {
    delivery.writeCall(start(`c${i}`));
    expectBalance(delivery);
  }
  await delivery.flush({ timeoutMs: 5000 });
  const { queued, dropped, droppedByReason } = delivery.stats();
  expect(queued).toBeGreaterThan(500);
  expect(queued).toBeLessThan(2000);
  expect(droppedByReason).toEqual({ 'queue-full': dropped });
  expect(problems.map(({ kind }) => kind)).toContain('queue-full');
  expect(problems.map(({ kind }) => kind)).toContain('spool-unwritable');
  target = service.target;
  expect(await delivery.flush({ timeoutMs: 5000 })).toEqual({ sent: queued, spooled: 0, dropped });
});

test('a burst beyond the queue goes to disk and arrives from there', async () => {
  const delivery = openDelivery({ limits: { items: 2000 } });
  for (let i = 0; i < 10_000; i++) delivery.writeCall(start(`c${i}`));
  expect(delivery.stats().spooled).toBeGreaterThan(7000);
  expectBalance(delivery);
  expect(await delivery.flush({ timeoutMs: 10_000 })).toEqual({ sent: 10_000, spooled: 0, dropped: 0 });
  expect(new Set(service.items).size).toBe(10_000);
});

test('counts add up at every moment of a bad day', async () => {
  let failing = 0;
  service.answer = (_request, response) => ++failing % 3 === 0 && respond(response, 503, { reason: 'sometimes' });
  const delivery = openDelivery({ limits: { items: 3000 } });
  let isOver = false;
  const watch = () => {
    expectBalance(delivery);
    if (!isOver) setImmediate(watch);
  };
  watch();
  for (let round = 0; round < 40; round++) {
    for (let i = 0; i < 200; i++) delivery.writeCall(start(`c${round}-${i}`));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { sent, dropped } = await delivery.flush({ timeoutMs: 20_000 });
  isOver = true;
  expect({ sent, dropped }).toEqual({ sent: 8000, dropped: 0 });
});

test('a flush that takes too long resolves with what is known', async () => {
  service.answer = () => true;
  const delivery = openDelivery();
  delivery.writeCall(start('c1'));
  expect(await delivery.flush({ timeoutMs: 100 })).toEqual({ sent: 0, spooled: 0, dropped: 0 });
  expectBalance(delivery);
});

test('closing writes what is under way to disk for the next process', async () => {
  service.answer = () => true;
  const delivery = openDelivery();
  delivery.writeCall(start('c1'));
  await delivery.flush({ timeoutMs: 100 });
  delivery.writeCall(end('c1'));
  delivery.close();
  expect(delivery.stats()).toMatchObject({ recorded: 2, queued: 0, spooled: 2 });
  service.answer = () => false;
  const next = openDelivery();
  next.writeCall(start('c2'));
  await next.flush({ timeoutMs: 5000 });
  await vi.waitFor(() => expect(service.items.toSorted()).toEqual(['end c1', 'start c1', 'start c2']), 10_000);
  expect(delivery.stats()).toMatchObject({ recorded: 2, queued: 0, spooled: 2 });
});
