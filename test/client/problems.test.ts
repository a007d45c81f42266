import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flush, init, shutdown, startCall, traced } from 'spoor';
import { expect, onTestFinished, test, vi } from 'vitest';
import { problemFilePath, readProblems } from '../../src/spool/problem-file.ts';
import { RecordingService, respond } from '../delivery/recording-service.ts';
import { useRecordingClient } from './recording-client.ts';

const client = useRecordingClient('acme/app');
const double = traced(function double(n: number) {
  return 2 * n;
});

async function startService(): Promise<RecordingService> {
  const service = await RecordingService.start();
  onTestFinished(() => service.stop());
  return service;
}

test('what is told is kept in the state folder, also where the application hears it', async () => {
  const service = await startService();
  service.answer = (_request, response) => respond(response, 401, { reason: 'unknown key' });
  client.start({ url: service.url });
  double(1);
  await flush();
  expect(client.problems).toHaveLength(1);
  expect(readProblems(client.home)).toEqual([
    {
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      kind: 'key-refused',
      message: client.problems[0]?.message,
      count: 0,
      project: 'acme/app',
      url: service.url,
      pid: process.pid,
    },
  ]);
});

test('a program without problems keeps none', async () => {
  client.start();
  double(1);
  await shutdown();
  expect(existsSync(problemFilePath(client.home))).toBe(false);
});

test('a program that records nothing keeps none', () => {
  vi.stubEnv('SPOOR_TIMEOUT_MS', 'long');
  client.start({ enabled: false });
  expect(client.problems).toHaveLength(1);
  expect(existsSync(problemFilePath(client.home))).toBe(false);
});

test.each([
  ['as it was given', 'a-key-of-no-shape', {}],
  ['by its shape, though the program hides nothing', 'k', { mask: false } as const],
])('a key that the service quotes is hidden %s', async (_how, apiKey, options) => {
  const service = await startService();
  const secrets = [apiKey, `sk-proj-${'a1B2'.repeat(8)}`];
  service.answer = (_request, response) => respond(response, 401, { reason: `unknown key ${secrets.join(' or ')}` });
  client.start({ url: service.url, apiKey, ...options });
  double(1);
  await flush();
  const text = readFileSync(problemFilePath(client.home), 'utf8');
  expect(text).toContain('unknown key');
  for (const secret of secrets.filter(({ length }) => length > 1)) expect(text).not.toContain(secret);
});

test('what was lost is told at the end once, with the reasons', async () => {
  const service = await startService();
  service.answer = ({ body }, response) =>
    JSON.stringify(body).includes('poison') && respond(response, 400, { reason: 'bad', error_code: 'invalid_request' });
  client.start({ url: service.url });
  startCall('poison').end(1);
  double(1);
  await flush();
  const kinds = () => client.problems.map(({ kind }) => kind);
  expect(kinds()).toEqual(['record-refused']);
  await shutdown();
  expect(kinds()).toEqual(['record-refused', 'lost-at-exit']);
  expect(client.problems[1]).toMatchObject({ count: 1, message: '1 record was lost: refused 1 (see "spoor doctor")' });
  expect(readProblems(client.home).map(({ kind }) => kind)).toEqual(kinds());
});

test('what a full folder cost an earlier program is told, too', async () => {
  client.startAlone();
  for (let n = 0; n < 20; n++) double(n);
  await shutdown();
  expect(client.problems).toEqual([]);
  init({
    project: 'acme/app',
    home: client.home,
    spoolBytes: 20_000,
    onError: (problem) => client.problems.push(problem),
  });
  startCall('large', { text: 'x'.repeat(12_000) }).end(1);
  await shutdown();
  expect(client.problems.at(-1)).toMatchObject({ kind: 'lost-at-exit' });
  expect(client.problems.at(-1)?.message).toMatch(/^\d+ records were lost: .*evicted \d+ \(see "spoor doctor"\)$/);
});

test('a state folder that cannot be written changes nothing of that', async () => {
  const file = join(client.home, 'file');
  writeFileSync(file, '');
  onTestFinished(() => rmSync(file, { force: true }));
  init({ project: 'acme/app', home: file, onError: (problem) => client.problems.push(problem) });
  double(1);
  await shutdown();
  expect(client.problems.map(({ kind }) => kind)).toContain('spool-unwritable');
  expect(client.problems.at(-1)).toMatchObject({ kind: 'lost-at-exit' });
  expect(client.problems.at(-1)?.message).toMatch(/exit 2/);
});
