import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../../build.ts';
import { CLI, environmentOf, makeHome } from '../../flow/service-process.ts';

beforeAll(buildOnce, 120_000);

/** The first lines of `spoor tail` at a service that tells these changes. */
async function linesAfter(events: readonly (readonly [name: string, data: object])[], ...args: readonly string[]) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: hello\ndata: {"cursor":"a-0"}\n\n');
    for (const [index, [name, data]] of events.entries())
      response.write(`event: ${name}\nid: a-${index + 1}\ndata: ${JSON.stringify(data)}\n\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const made = makeHome();
  const service = ['--url', `http://127.0.0.1:${port}`, '--key', 'key', '--project', 'acme/demo'];
  const child = spawn(process.execPath, [CLI, 'tail', ...service, ...args], { env: environmentOf(made.home) });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    server.closeAllConnections();
    server.close();
    made.remove();
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read: string[] = [];
  const told = events.filter(([name]) => name !== 'feedback');
  while (read.length < told.length) read.push(String((await lines.next()).value));
  return read;
}

const MISSED = [
  ['missed', { count: 12_000 }],
  ['missed', { count: 1 }],
  ['missed', { count: null }],
  ['gone', { ids: ['a', 'b'] }],
] as const;

test('tail says how many changes it was not told', async () => {
  expect(await linesAfter(MISSED.slice(0, 3))).toEqual([
    '… missed 12,000 changes',
    '… missed 1 change',
    '… missed some changes',
  ]);
});

test('tail says what it missed by a filter, too, as that may have been meant', async () => {
  expect(await linesAfter(MISSED.slice(2, 3), '-f', 'status:error', '--roots')).toEqual(['… missed some changes']);
});

test('tail passes over feedback, for programs too', async () => {
  const events = [['feedback', { ids: ['a'] }], ...MISSED.slice(1, 2)] as const;
  expect(await linesAfter(events)).toEqual(['… missed 1 change']);
  const lines = await linesAfter(events, '--json');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([{ kind: 'missed', count: 1, cursor: 'a-2' }]);
});

test('tail prints changes for programs as they were told', async () => {
  const lines = await linesAfter(MISSED, '--json');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { kind: 'missed', count: 12_000, cursor: 'a-1' },
    { kind: 'missed', count: 1, cursor: 'a-2' },
    { kind: 'missed', count: null, cursor: 'a-3' },
    { kind: 'gone', ids: ['a', 'b'], cursor: 'a-4' },
  ]);
});
