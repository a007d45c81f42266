import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ChangeLog, MAX_KEPT_CHANGES } from '../../../src/server/page/change-log.ts';
import { MAX_CHANGE_STREAMS } from '../../../src/server/page/change-route.ts';
import { NotingFeedback } from '../../../src/server/page/noting-feedback.ts';
import type { CallsListener } from '../../../src/storage/contract/storage.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { newFeedback } from '../../../src/testing/storage/facts.ts';
import { formatCallRef } from '../../../src/protocol/ref.ts';
import { ENGINES, type RunningServer } from '../running-server.ts';
import { serverPerTest } from '../server-per-test.ts';
import { openBrowser } from './browser.ts';
import { type EventStream, openEvents } from './event-stream.ts';
import { PROJECT, seed } from './seed.ts';

const start = serverPerTest();
const streams: EventStream[] = [];
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.close()));
});

async function listen(service: RunningServer, headers: Record<string, string> = {}): Promise<EventStream> {
  const stream = await openEvents(`${service.url}/x/calls/changes?project_id=${PROJECT}`, {
    authorization: `Bearer ${service.apiKey}`,
    ...headers,
  });
  streams.push(stream);
  return stream;
}

describe.each(ENGINES)('with %s', (storage) => {
  test('a call is told of when it starts, when it ends and when it is deleted', async () => {
    const service = await start({ storage });
    const stream = await listen(service);
    expect(await stream.next()).toMatchObject({ event: 'hello' });
    await seed(service, [{ id: 'a', ms: null }]);
    expect(await stream.next()).toMatchObject({ event: 'call', data: { id: 'a', ended_at: null } });
    await seed(service, [{ id: 'a', ms: 5, exception: 'Error: no' }]);
    expect(await stream.next()).toMatchObject({ event: 'call', data: { id: 'a', state: 'error' } });
    await service.post('/call/update', { project_id: PROJECT, call_id: 'a', display_name: 'A' });
    expect(await stream.next()).toMatchObject({ event: 'call', data: { name: 'A' } });
    await service.post('/calls/delete', { project_id: PROJECT, call_ids: ['a'] });
    expect(await stream.next()).toMatchObject({ event: 'gone', data: { ids: ['a'] } });
  });

  test('feedback is told of when a call gets it, when it is put in its place and when it is taken back', async () => {
    const service = await start({ storage });
    await seed(service, [{ id: 'a' }, { id: 'b' }]);
    const stream = await listen(service);
    await stream.next();
    const on = (id: string) => ({
      project_id: PROJECT,
      svc_ref: formatCallRef(PROJECT, id),
      feedback_type: 't',
      payload: {},
    });
    const given = await service.post('/feedback/create', on('a'));
    expect(await stream.next()).toMatchObject({ event: 'feedback', data: { ids: ['a'] } });
    const { id } = given.body as { id: string };
    const replaced = await service.post('/feedback/replace', { ...on('b'), feedback_id: id });
    const { data } = (await stream.next()) as { data: { ids: string[] } };
    expect(data.ids.toSorted()).toEqual(['a', 'b']);
    await service.post('/feedback/create', { ...on('a'), svc_ref: formatCallRef('acme/other', 'a') });
    await service.post('/feedback/batch/create', { batch: [on('b'), on('a')] });
    expect(await stream.next()).toMatchObject({ event: 'feedback', data: { ids: ['b', 'a'] } });
    const $expr = { $eq: [{ $getField: 'id' }, { $literal: (replaced.body as { id: string }).id }] };
    await service.post('/feedback/purge', { project_id: PROJECT, query: { $expr } });
    expect(await stream.next()).toMatchObject({ event: 'feedback', data: { ids: ['b'] } });
  });

  test('feedback in a large body is told of too', async () => {
    const service = await start({ storage });
    const stream = await listen(service);
    await stream.next();
    const one = { project_id: PROJECT, svc_ref: formatCallRef(PROJECT, 'a'), feedback_type: 't', payload: {} };
    const answer = await fetch(`${service.url}/feedback/batch/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ batch: [one, one] }) + ' '.repeat(5 * 1024 * 1024),
    });
    expect(answer.status).toBe(200);
    expect(await stream.next()).toMatchObject({ event: 'feedback', data: { ids: ['a'] } });
  });

  test('what a large body has brought is told of too', async () => {
    const service = await start({ storage });
    const stream = await listen(service);
    await stream.next();
    await seed(service, [{ id: 'large', inputs: { text: 'x'.repeat(5 * 1024 * 1024) } }]);
    expect(await stream.next()).toMatchObject({ event: 'call', data: { id: 'large' } });
  });
});

test('a call that the storage changes by itself is told of', async () => {
  const memory = openMemoryStorage();
  let tell: CallsListener = () => {};
  const service = await start({ storage: { ...memory, watchCalls: (listener) => (tell = listener) } });
  await seed(service, [{ id: 'a', ms: null }]);
  const stream = await listen(service);
  await stream.next();
  tell(PROJECT, ['a']);
  expect(await stream.next()).toMatchObject({ event: 'call', data: { id: 'a' } });
});

test('who comes back is told what happened meanwhile, each call once', async () => {
  const service = await start();
  const first = await listen(service);
  await first.next();
  await seed(service, [{ id: 'a' }]);
  const seen = await first.next();
  await first.close();
  await seed(service, [{ id: 'b', ms: null }]);
  await seed(service, [{ id: 'c' }]);
  await seed(service, [{ id: 'b' }]);
  const second = await listen(service, { 'last-event-id': seen?.id ?? '' });
  expect(await second.next()).toMatchObject({ event: 'hello', data: { cursor: seen?.id } });
  const events = [await second.next(), await second.next()];
  const rows = events.map((event) => event?.data as { id: string; ended_at: string } | undefined);
  expect(new Set(rows.map((row) => row?.id))).toEqual(new Set(['b', 'c']));
  expect(rows.map((row) => row?.ended_at)).not.toContain(null);
});

test('who comes back to another service is told that nobody knows what was missed', async () => {
  const service = await start();
  const stream = await listen(service, { 'last-event-id': 'other.17' });
  await stream.next();
  expect(await stream.next()).toMatchObject({ event: 'missed', data: { count: null } });
});

test('changes of other projects are not told of', async () => {
  const service = await start();
  const stream = await listen(service);
  await stream.next();
  await seed(service, [{ id: 'theirs', project: 'acme/other' }]);
  await seed(service, [{ id: 'ours' }]);
  expect(await stream.next()).toMatchObject({ data: { id: 'ours' } });
});

test('a session reads the stream, and no longer than it lasts', async () => {
  const service = await start();
  const browser = openBrowser(service.url);
  await browser.post('/x/session', { api_key: service.apiKey });
  const stream = await openEvents(`${service.url}/x/calls/changes?project_id=${PROJECT}`, { cookie: browser.cookie });
  streams.push(stream);
  await stream.next();
  await browser.post('/x/session/end', {});
  await seed(service, [{ id: 'a' }]);
  await seed(service, [{ id: 'b' }]);
  const rest = [await stream.next(), await stream.next()];
  expect(rest).toContain(undefined);
});

test('a key has so many streams and no more; one that is closed makes room', async () => {
  const service = await start();
  const open = await Promise.all(Array.from({ length: MAX_CHANGE_STREAMS }, async () => await listen(service)));
  const path = `/x/calls/changes?project_id=${PROJECT}`;
  expect(await service.get(path)).toMatchObject({ status: 429 });
  await open[0]?.close();
  await expect.poll(async () => await listen(service).then(() => 'open', String)).toBe('open');
});

test('a reader that does not read costs the service nothing but its place, and the service stops without it', async () => {
  const service = await start();
  const { port } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.pause();
  const head = `GET /x/calls/changes?project_id=${PROJECT} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${service.apiKey}\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  for (let round = 0; round < 20; round++) {
    await seed(
      service,
      Array.from({ length: 200 }, (_item, index) => ({ id: `${round}-${index}`, inputs: { text: 'x'.repeat(200) } })),
    );
  }
  const started = await service.get('/health');
  expect(started.status).toBe(200);
  const closing = service.close();
  await closing;
  socket.destroy();
});

test('a stream ends when the service stops, long before it would be broken off', async () => {
  const service = await start({ graceSeconds: 1000 });
  const stream = await listen(service);
  await stream.next();
  await service.close();
  expect(await stream.next()).toBeUndefined();
});

test('the project is named once', async () => {
  const service = await start();
  expect(await service.get('/x/calls/changes')).toMatchObject({ status: 400 });
  expect(await service.get('/x/calls/changes?project_id=a/b&project_id=c/d')).toMatchObject({ status: 400 });
});

describe('the log', () => {
  test('a call that changed often is told of once, at its last change', () => {
    const log = new ChangeLog();
    for (const id of ['a', 'b', 'a']) log.add(id);
    expect(log.since(0, 10)).toEqual({ ids: ['b', 'a'], feedback: [], position: 3, missed: 0 });
    expect(log.since(3, 10)).toEqual({ ids: [], feedback: [], position: 3, missed: 0 });
  });

  test('feedback on a call is another change than of the call itself', () => {
    const log = new ChangeLog();
    log.add('a');
    log.add('b', 'feedback');
    log.add('a', 'feedback');
    log.add('b', 'feedback');
    expect(log.since(0, 10)).toEqual({ ids: ['a'], feedback: ['a', 'b'], position: 4, missed: 0 });
    expect(log.since(0, 2)).toEqual({ ids: ['a'], feedback: ['b'], position: 2, missed: 0 });
  });

  test('a reader takes as much as it wants and goes on from there', () => {
    const log = new ChangeLog();
    for (const id of ['a', 'b', 'c']) log.add(id);
    const first = log.since(0, 2);
    expect(first.ids).toEqual(['a', 'b']);
    expect(log.since(first.position, 2).ids).toEqual(['c']);
  });

  test('what is kept no more is counted', () => {
    const log = new ChangeLog();
    for (let index = 0; index < MAX_KEPT_CHANGES + 5; index++) log.add(String(index));
    const { ids, missed } = log.since(2, 1);
    expect({ ids, missed }).toEqual({ ids: ['5'], missed: 3 });
  });

  test('a cursor of another log, or of the future, is none', () => {
    const [one, other] = [new ChangeLog(), new ChangeLog()];
    expect(one.positionOf(one.cursorAt(0))).toBe(0);
    expect(one.positionOf(one.cursorAt(1))).toBeUndefined();
    expect(one.positionOf(other.cursorAt(0))).toBeUndefined();
    expect(one.positionOf('')).toBeUndefined();
  });
});

test('of feedback that is taken back little is held at a time', async () => {
  const { feedback } = openMemoryStorage();
  const ids = Array.from({ length: 250 }, (_, index) => `f${index}`);
  await feedback.createAll(ids.map((id) => newFeedback(id, { svc_ref: formatCallRef(PROJECT, `on-${id}`) })));
  const query = feedback.query.bind(feedback);
  const read: number[] = [];
  feedback.query = async (...asked) => {
    const found = await query(...asked);
    read.push(found.length);
    return found;
  };
  const told: string[] = [];
  const noting = new NotingFeedback(feedback, (changed) => {
    for (const one of changed) told.push(...one.ids);
  });
  await noting.purge(PROJECT, ids);
  expect(told.toSorted()).toEqual(ids.map((id) => `on-${id}`).toSorted());
  expect(Math.max(...read)).toBeLessThanOrEqual(100);
  expect(await feedback.list(PROJECT)).toEqual([]);
});
