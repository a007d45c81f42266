import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Delivery, type DeliveryOptions } from '../../src/delivery/delivery.ts';
import { HttpTransport } from '../../src/delivery/transport/http-transport.ts';
import type { TransportTarget } from '../../src/delivery/transport/transport.ts';
import type { CallRecord, FileRecord, ObjectRecord } from '../../src/protocol/record.ts';
import { listSegments } from '../../src/spool/orphaned-segments.ts';
import { RecordingService, respond } from './recording-service.ts';
import { tableOf as table } from './table-records.ts';

let home: string;
let service: RecordingService;
let target: TransportTarget | undefined;
let problems: string[];
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

function openDelivery(options: Partial<DeliveryOptions> = {}): Delivery {
  const delivery = new Delivery({
    home,
    resolveTarget: () => target,
    segmentTarget: { url: null, project: 'local/test' },
    openTransport: (to) => new HttpTransport({ ...to, version: '0', timeoutMs: 10_000 }),
    report: (kind) => problems.push(kind),
    random: () => 0.01,
    ...options,
  });
  open.push(delivery);
  return delivery;
}

const projectId = 'local/test';
const flush = (delivery: Delivery) => delivery.flush({ timeoutMs: 5000 });
const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

const file = (text: string): FileRecord => ({ projectId, name: 'a.txt', digest: text, bytes: Buffer.from(text) });
const object = (val: unknown): ObjectRecord => ({ projectId, objectId: 'one', val, digest: 'd', files: [] });
const call = (id: string): CallRecord => ({
  kind: 'end',
  end: {
    project_id: projectId,
    id,
    ended_at: '2026-01-01T00:00:00Z',
    output: null,
    summary: { status_counts: { success: 1, error: 0 } },
  },
  bytes: 100,
});
const paths = () => service.requests.map(({ path }) => path);

test('a table, a file and an object arrive, each counted as one', async () => {
  const delivery = openDelivery();
  delivery.writeTable(table(numbers(2)));
  delivery.writeFile(file('x'));
  delivery.writeObject(object(1));
  await flush(delivery);
  expect(service.tables).toEqual([{ table: { project_id: projectId, rows: [{ n: 0 }, { n: 1 }] } }]);
  expect(service.files).toEqual([{ project_id: projectId, name: 'a.txt', content: btoa('x') }]);
  expect(delivery.stats().objects).toMatchObject({ recorded: 3, sent: 3, queued: 0 });
});

test('a table of no rows arrives', async () => {
  const delivery = openDelivery();
  delivery.writeTable(table([]));
  await flush(delivery);
  expect(service.tables).toEqual([{ table: { project_id: projectId, rows: [] } }]);
});

test('an object is sent when the table written before it has arrived', async () => {
  let release = () => {};
  service.answer = ({ path }, response) => {
    if (path === '/table/create') release = () => respond(response, 200, { digest: 'd' });
    return path === '/table/create';
  };
  const delivery = openDelivery();
  delivery.writeTable(table(numbers(1)));
  delivery.writeObject(object(1));
  const flushed = flush(delivery);
  await vi.waitFor(() => expect(service.requests).toHaveLength(1), 10_000);
  release();
  await flushed;
  expect(paths()).toEqual(['/table/create', '/obj/create']);
});

test('a file of its own is sent once', async () => {
  const delivery = openDelivery();
  delivery.writeFile(file('x'));
  delivery.writeFile(file('x'));
  await flush(delivery);
  delivery.writeFile(file('x'));
  delivery.writeFile(file('y'));
  await flush(delivery);
  expect(service.files).toHaveLength(2);
});

test('a table is sent once', async () => {
  const delivery = openDelivery();
  for (let times = 0; times < 2; times++) {
    delivery.writeTable(table(numbers(2)));
    await flush(delivery);
  }
  expect(service.tables).toHaveLength(1);
  expect(delivery.stats().objects).toMatchObject({ recorded: 2, sent: 2 });
});

test('of a table whose base the service has, only the new rows are sent', async () => {
  const delivery = openDelivery();
  delivery.writeTable(table(numbers(2)));
  delivery.writeTable(table(numbers(3), 2));
  await flush(delivery);
  expect(service.tables[1]).toEqual({
    project_id: projectId,
    base_digest: table(numbers(2)).digest,
    updates: [{ append: { row: { n: 2 } } }],
  });
});

test('of a table whose base the service never had or no longer has, the whole is sent', async () => {
  const delivery = openDelivery();
  delivery.writeTable(table(numbers(3), 2));
  await flush(delivery);
  service.answer = ({ path }, response) =>
    path === '/table/update' && respond(response, 404, { reason: 'no such table', error_code: 'not_found' });
  delivery.writeTable(table(numbers(4), 3));
  await flush(delivery);
  expect(paths()).toEqual(['/table/create', '/table/update', '/table/create']);
  expect(service.tables[1]).toMatchObject({ table: { rows: numbers(4) } });
  expect(problems).toEqual([]);
  expect(delivery.stats().objects).toMatchObject({ recorded: 2, sent: 2 });
});

test('a large table is sent in parts, each building on the one before', async () => {
  const rows = ['a', 'b', 'c', 'd', 'e'].map((letter) => ({ text: letter.repeat(3_000_000) }));
  const delivery = openDelivery();
  delivery.writeTable(table(rows));
  await flush(delivery);
  const steps = [2, 4].map((count) => table(rows.slice(0, count)).digest);
  expect(service.tables).toMatchObject([
    { table: { rows: rows.slice(0, 2) } },
    { base_digest: steps[0], updates: [{ append: { row: rows[2] } }, { append: { row: rows[3] } }] },
    { base_digest: steps[1], updates: [{ append: { row: rows[4] } }] },
  ]);
  expect(delivery.stats().objects).toMatchObject({ recorded: 1, sent: 1 });
});

test('an update has no more rows than the service takes', async () => {
  const delivery = openDelivery();
  delivery.writeTable(table(numbers(1)));
  delivery.writeTable(table(numbers(10_002), 1));
  await flush(delivery);
  const counts = service.tables.slice(1).map((body) => (body as { updates: unknown[] }).updates.length);
  expect(counts).toEqual([10_000, 1]);
});

test('tables and files wait on disk, what was added as such, and arrive when a service appears', async () => {
  target = undefined;
  const delivery = openDelivery();
  delivery.writeTable(table(numbers(2)));
  delivery.writeTable(table(numbers(3), 2));
  delivery.writeFile(file('x'));
  delivery.writeFile(file('x'));
  await flush(delivery);
  expect(delivery.stats().objects).toMatchObject({ recorded: 3, spooled: 3 });
  target = service.target;
  await flush(delivery);
  expect(paths()).toEqual(['/table/create', '/table/update', '/file/create']);
  expect(service.tables[1]).toMatchObject({ updates: [{ append: { row: { n: 2 } } }] });
  expect(delivery.stats().objects).toMatchObject({ recorded: 3, sent: 3, spooled: 0 });
});

test('a table on disk whose base is lost with an older segment is written whole', async () => {
  target = undefined;
  const delivery = openDelivery({ spoolBytes: 4000 });
  delivery.writeTable(table(numbers(2)));
  for (let n = 0; n < 4; n++) delivery.writeObject(object({ n, text: 'x'.repeat(900) }));
  await flush(delivery);
  expect(delivery.stats().objects.dropped).toBeGreaterThan(0);
  delivery.writeTable(table(numbers(3), 2));
  await flush(delivery);
  target = service.target;
  await flush(delivery);
  expect(service.tables).toEqual([{ table: { project_id: projectId, rows: numbers(3) } }]);
});

test('a table on disk whose base is in another segment is written whole: another process may read that one', async () => {
  target = undefined;
  const delivery = openDelivery({ spoolBytes: 16_000 });
  delivery.writeTable(table(numbers(2)));
  delivery.writeObject(object('x'.repeat(3000)));
  await flush(delivery);
  delivery.writeTable(table(numbers(3), 2));
  await flush(delivery);
  expect(listSegments(home)).toHaveLength(2);
  target = service.target;
  await flush(delivery);
  expect(service.tables[1]).toEqual({ table: { project_id: projectId, rows: numbers(3) } });
});

test('a table and a file on disk that the service refuses are counted as lost', async () => {
  target = undefined;
  const delivery = openDelivery();
  delivery.writeTable(table(numbers(2)));
  delivery.writeFile(file('x'));
  delivery.writeObject({ ...object(1), files: [file('y')] });
  await flush(delivery);
  service.answer = ({ path }, response) =>
    path !== '/obj/create' && respond(response, 413, { reason: 'too large', error_code: 'payload_too_large' });
  target = service.target;
  await flush(delivery);
  expect(delivery.stats().objects).toMatchObject({ recorded: 3, sent: 1, spooled: 0, dropped: 2 });
});

test('what waits is bounded in bytes: the oldest goes to disk', async () => {
  const delivery = openDelivery({ limits: { bytes: 10_000 } });
  for (const letter of 'abcd') delivery.writeFile(file(letter.repeat(4000)));
  expect(delivery.stats().objects).toMatchObject({ recorded: 4, queued: 2, spooled: 2 });
  expect(listSegments(home)).toHaveLength(1);
  await flush(delivery);
  const contents = service.files.map((body) => atob((body as { content: string }).content)[0]);
  expect(contents.slice(2)).toEqual(['a', 'b']);
  expect(delivery.stats().objects).toMatchObject({ recorded: 4, sent: 4, spooled: 0 });
});

test('what is larger than all that may wait is sent all the same', async () => {
  const delivery = openDelivery({ limits: { bytes: 100 } });
  delivery.writeFile(file('a'.repeat(4000)));
  expect(delivery.stats().objects).toMatchObject({ queued: 1, spooled: 0 });
  await flush(delivery);
  expect(service.files).toHaveLength(1);
});

test('when neither memory nor disk has room, the newest is lost and counted', async () => {
  writeFileSync(join(home, 'spool'), 'no folder');
  target = undefined;
  const delivery = openDelivery({ limits: { bytes: 10_000 } });
  for (const letter of 'abc') delivery.writeFile(file(letter.repeat(4000)));
  expect(delivery.stats().objects).toMatchObject({ recorded: 3, queued: 2, dropped: 1 });
  expect(problems).toEqual(['queue-full']);
  target = service.target;
  delivery.writeFile(file('c'.repeat(4000)));
  await flush(delivery);
  delivery.writeFile(file('c'.repeat(4000)));
  await flush(delivery);
  expect(service.files).toHaveLength(3);
});

test('what is larger than the whole spool is lost and counted, and costs no other record', async () => {
  target = undefined;
  const delivery = openDelivery({ spoolBytes: 4000 });
  delivery.writeObject(object('small'));
  delivery.writeFile(file('a'.repeat(5000)));
  await flush(delivery);
  expect(delivery.stats().objects).toMatchObject({ recorded: 2, queued: 0, spooled: 1, dropped: 1 });
  expect(problems).toEqual(['spool-full']);
});

test('a process that ends writes what is under way to disk', async () => {
  service.answer = () => true;
  const delivery = openDelivery();
  delivery.writeTable(table(numbers(2)));
  delivery.writeObject(object(1));
  await vi.waitFor(() => expect(service.requests).toHaveLength(1), 10_000);
  delivery.close();
  expect(delivery.stats().objects).toMatchObject({ recorded: 2, queued: 0, spooled: 2 });
});

describe('a file that never gets through', () => {
  beforeEach(() => {
    service.answer = ({ path, body }, response) => {
      if (path !== '/file/create' || (body as { content: string }).content !== btoa('poison')) return false;
      response.socket?.resetAndDestroy();
      return true;
    };
  });

  test('holds back nothing else, and waits on disk', async () => {
    const delivery = openDelivery();
    delivery.writeFile(file('poison'));
    delivery.writeFile(file('good'));
    delivery.writeCall(call('one'));
    await flush(delivery);
    delivery.writeCall(call('two'));
    await flush(delivery);
    expect(service.items).toEqual(['end one', 'end two']);
    expect(service.files).toHaveLength(1);
    expect(delivery.stats()).toMatchObject({ sent: 2, objects: { recorded: 2, sent: 1, spooled: 1 } });
    expect(problems).toEqual([]);
  });

  test('holds back nothing that waits on disk beside it, of this program or an earlier one', async () => {
    target = undefined;
    const earlier = openDelivery();
    earlier.writeFile(file('poison'));
    earlier.writeCall(call('earlier'));
    await flush(earlier);
    earlier.close();
    const delivery = openDelivery();
    delivery.writeFile(file('poison'));
    delivery.writeCall(call('before'));
    await flush(delivery);
    target = service.target;
    delivery.writeCall(call('after'));
    await flush(delivery);
    await vi.waitFor(() => expect(service.items.sort()).toEqual(['end after', 'end before', 'end earlier']), 10_000);
    await vi.waitFor(() => expect(listSegments(home)).toHaveLength(2), 10_000);
  });
});

test('what is larger than the spool only as text is lost at once, and that is said', async () => {
  target = undefined;
  const delivery = openDelivery({ spoolBytes: 1000 });
  delivery.writeFile(file('x'.repeat(900)));
  await flush(delivery);
  expect(delivery.stats().objects).toMatchObject({ recorded: 1, queued: 0, dropped: 1 });
  expect(problems).toEqual(['spool-full']);
});

test('what no disk takes is lost when the process ends, and that is said', async () => {
  target = undefined;
  const delivery = openDelivery({ home: undefined });
  delivery.writeFile(file('x'));
  await flush(delivery);
  expect(delivery.stats().objects).toMatchObject({ recorded: 1, queued: 1 });
  expect(problems).toContain('spool-unwritable');
  delivery.close();
  expect(delivery.stats().objects).toMatchObject({ recorded: 1, dropped: 1 });
});

test('a call does not wait until files before it have arrived', async () => {
  service.answer = ({ path }) => path === '/file/create';
  const delivery = openDelivery();
  for (const name of ['a', 'b', 'c', 'd']) delivery.writeFile(file(name));
  delivery.writeCall(call('one'));
  await vi.waitFor(() => expect(service.items).toEqual(['end one']), 10_000);
});
