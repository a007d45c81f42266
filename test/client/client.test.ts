import { flush, get, publish, shutdown, startCall, stats, traced } from 'spoor';
import { createReader } from 'spoor/reader';
import { writeServerFile } from '../../src/spool/server-file.ts';
import { expect, test, vi } from 'vitest';
import { useRecordingClient } from './recording-client.ts';

const client = useRecordingClient('acme/app');

const double = traced(function double(n: number) {
  return 2 * n;
});

async function outputs(project = 'acme/app'): Promise<unknown[]> {
  const reader = createReader({ url: client.server.url, apiKey: client.server.apiKey, project });
  const found = [];
  for await (const call of reader.calls.query({})) found.push(call.output);
  return found;
}

test('what is traced after init can be read back', async () => {
  client.start();
  expect(double(4)).toBe(8);
  expect(await flush()).toEqual({ sent: 2, spooled: 0, dropped: 0 });
  expect(await outputs()).toEqual([8]);
  expect(stats()).toMatchObject({ project: 'acme/app', recorded: 2, queued: 0, sent: 2, url: client.server.url });
  expect(stats().objects).toMatchObject({ recorded: 1, sent: 1 });
});

test('feedback on a call arrives at the service', async () => {
  client.start();
  const call = startCall('ask');
  await call.feedback('thumbs', { up: true });
  call.end('answer');
  await flush();
  const reader = createReader({ url: client.server.url, apiKey: client.server.apiKey, project: 'acme/app' });
  const fields = ['svc_ref', 'feedback_type', 'payload'];
  expect(await reader.feedback.query({ fields })).toEqual([
    { svc_ref: call.ref, feedback_type: 'thumbs', payload: { up: true } },
  ]);
  expect(client.problems).toEqual([]);
});

test('init makes no request', async () => {
  client.start({ url: 'http://127.0.0.1:9' });
  expect(await flush({ timeoutMs: 100 })).toEqual({ sent: 0, spooled: 0, dropped: 0 });
  expect(stats()).toMatchObject({ recorded: 0 });
});

test('variables that make no sense are told in one line, and recording goes on', async () => {
  vi.stubEnv('SPOOR_SAMPLE', 'much');
  vi.stubEnv('SPOOR_TIMEOUT_MS', 'long');
  client.start();
  expect(client.problems).toMatchObject([
    {
      kind: 'environment',
      message:
        'Cannot use SPOOR_SAMPLE "much": expected a number from 0 to 1; ' +
        'Cannot use SPOOR_TIMEOUT_MS "long": expected a number above 0; the default is used',
    },
  ]);
  double(4);
  expect(await flush()).toMatchObject({ sent: 2 });
});

test('the same init again is the same client, another one is told that it comes too late', () => {
  const first = client.start();
  expect(client.start()).toBe(first);
  expect(client.problems).toEqual([]);
  expect(client.start({ project: 'acme/other' })).toBe(first);
  expect(client.problems.map(({ kind, message }) => [kind, message])).toEqual([
    ['already-started', 'init() was called again: project changes only after shutdown()'],
  ]);
});

test('attributes that JSON has no text for are compared, too', () => {
  const circular: Record<string, unknown> = { size: 1n };
  circular['self'] = circular;
  const first = client.start({ attributes: circular });
  expect([client.start({ attributes: circular }), client.problems]).toEqual([first, []]);
  expect(client.start({ attributes: { size: 1n } })).toBe(first);
  expect(client.problems).toMatchObject([
    { message: 'init() was called again: attributes changes only after shutdown()' },
  ]);
});

test('after shutdown init starts afresh', async () => {
  const first = client.start();
  double(1);
  expect(await shutdown()).toEqual({ sent: 2, spooled: 0, dropped: 0 });
  expect(await first.shutdown()).toEqual({ sent: 2, spooled: 0, dropped: 0 });
  expect(stats()).toMatchObject({ recorded: 0, sent: 0, objects: { recorded: 0 }, url: undefined });
  expect(client.start({ project: 'acme/other' })).not.toBe(first);
  double(2);
  await flush();
  expect([await outputs(), await outputs('acme/other')]).toEqual([[2], [4]]);
});

test('a call that ends after shutdown settles, and sends nothing more by itself, also where the platform stops the process', async () => {
  client.start({ serverless: true });
  let finish: (value: string) => void = () => {};
  const answer = traced(() => new Promise<string>((resolve) => (finish = resolve)), { name: 'answer', op: false })();
  await shutdown();
  finish('late');
  expect(await answer).toBe('late');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await outputs()).toEqual([null]);
  expect(client.problems).toEqual([]);
});

test('a call after shutdown starts afresh by itself, from the environment', async () => {
  vi.stubEnv('SPOOR_HOME', client.home);
  vi.stubEnv('SPOOR_PROJECT', 'acme/environment');
  client.start();
  await shutdown();
  double(3);
  expect(stats()).toMatchObject({ project: 'acme/environment', recorded: 2 });
});

test('flush and shutdown before anything resolve', async () => {
  expect(await flush()).toEqual({ sent: 0, spooled: 0, dropped: 0 });
  expect(await shutdown()).toEqual({ sent: 0, spooled: 0, dropped: 0 });
});

test('a wrong option is an error at once', () => {
  expect(() => client.start({ project: 'a/b/c' })).toThrow('Cannot use project "a/b/c"');
});

test('no listeners are left after shutdown', async () => {
  const count = () => ['beforeExit', 'exit', 'SIGTERM', 'SIGINT'].map((name) => process.listenerCount(name));
  const before = count();
  client.start();
  double(1);
  expect(count()).not.toEqual(before);
  await shutdown();
  expect(count()).toEqual(before);
});

test('a published value comes back from the service once it is stored', async () => {
  client.start();
  const settings = publish({ temperature: 0.5, list: [1, { deep: 'x' }] }, 'settings');
  await settings.stored();
  expect(stats().objects).toMatchObject({ recorded: 1, sent: 1 });
  const path = `${String(settings)}/key/list/index/1/key/deep`;
  expect(await get(path)).toBe('x');
  await expect(get(`${String(settings)}/key/missing`)).rejects.toMatchObject({ code: 'not_found' });
  await expect(get('svc:///acme/app/object/nothing:latest')).rejects.toMatchObject({ code: 'not_found' });
});

test('a call is read by its reference, and its handle knows its page', async () => {
  client.start();
  const call = startCall('step', { n: 1 });
  call.end('done');
  await call.stored();
  expect(await get(call.ref)).toMatchObject({ id: call.id, output: 'done' });
  expect(call.url).toBe(`${client.server.url}/ui/acme/app/trace/${call.traceId}?call=${call.id}`);
});

test('what waits on disk is not stored until the service has it', async () => {
  client.startAlone();
  const call = startCall('step');
  call.end(1);
  await flush();
  let isStored = false;
  void call.stored().then(() => (isStored = true));
  expect(await flush()).toEqual({ sent: 0, spooled: 2, dropped: 0 });
  expect(isStored).toBe(false);
  writeServerFile(client.home, {
    url: client.server.url,
    apiKey: client.server.apiKey,
    pid: process.pid,
    version: '0',
  });
  expect(await flush()).toEqual({ sent: 2, spooled: 0, dropped: 0 });
  await vi.waitFor(() => expect(isStored).toBe(true), 10_000);
});

test('feedback that the service does not take is reported, not thrown', async () => {
  client.startAlone();
  const call = startCall('step');
  call.end(1);
  await call.feedback('svc.note.1', { note: 'good' });
  expect(client.problems.map(({ kind }) => kind)).toContain('feedback-lost');
});
