import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { formatSender, SENDER_HEADER } from '../../../src/protocol/sender.ts';
import { runCli } from '../../flow/service-process.ts';
import { PROJECT, useMemoryService } from './memory-service.ts';
import { recorded } from './recorded-traces.ts';

const memoryService = useMemoryService((reader) =>
  reader.calls.write(recorded('2026-01-01T10:00:00Z', [0, null], { id: 'open', trace_id: 'open', op_name: 'tick' })),
);

/** Somebody else sends one call. */
async function send(agent: string, key: string, headers: Record<string, string> = {}): Promise<number> {
  const { url } = memoryService().service;
  const start = {
    project_id: 'acme/other',
    op_name: 'tick',
    started_at: new Date().toISOString(),
    attributes: {},
    inputs: {},
  };
  const answer = await fetch(`${url}/call/start`, {
    method: 'POST',
    headers: {
      ...headers,
      'user-agent': agent,
      'content-type': 'application/json',
      authorization: `Basic ${btoa(`api:${key}`)}`,
    },
    body: JSON.stringify({ start }),
  });
  return answer.status;
}

async function clients(...args: string[]) {
  const { home } = memoryService();
  return await runCli(home, 'clients', ...args);
}

test('who sends and who was refused has a line each, whoever was seen last first', async () => {
  const { service } = memoryService();
  expect(
    await send('worker/2.1', service.apiKey, { [SENDER_HEADER]: formatSender({ host: hostname(), pid: process.pid }) }),
  ).toBe(200);
  expect(await send('python-sdk/1.4', 'wrong')).toBe(401);
  const { stdout, stderr, code } = await clients();
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const [head = '', refused = '', worker = '', seeder = ''] = stdout.split('\n');
  expect(head.split(/ {2,}/)).toEqual([
    'state',
    'client',
    'process',
    'starts',
    'ends',
    'without end',
    'seen',
    'last refusal',
  ]);
  expect(refused).toMatch(/^connected +python-sdk 1\.4 +127\.0\.0\.1 +0 +0 +0 +\S+ \S+ +401 wrong key, \d{4}-/);
  expect(worker).toMatch(new RegExp(`^connected +worker 2\\.1 +${hostname()} ${process.pid} +1 +0 +1 +\\S+ \\S+$`));
  expect(seeder).toMatch(/^connected +\S+ +127\.0\.0\.1 +1 +0 +1 +\S+ \S+$/);
});

test('--project leaves those that have sent for it, and those who never came to name one', async () => {
  const agents = async (...args: string[]) =>
    (JSON.parse((await clients('--json', ...args)).stdout) as { name: string }[]).map(({ name }) => name);
  expect(await agents()).toEqual(['python-sdk', 'worker', 'node']);
  expect(await agents('--project', PROJECT)).toEqual(['python-sdk', 'node']);
  expect(await agents('--project', 'acme/nobody')).toEqual(['python-sdk']);
});

test('--json prints what the service knows', async () => {
  const { reader } = memoryService();
  const { stdout } = await clients('--json');
  expect(JSON.parse(stdout)).toEqual(await reader.page.clients());
});
