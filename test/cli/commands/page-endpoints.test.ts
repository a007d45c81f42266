import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createProgram } from '../../../src/cli/program.ts';
import { createReader } from '../../../src/reader/reader.ts';
import { DOCUMENT } from '../../server/published-schemas.ts';
import { useMemoryService } from './memory-service.ts';

/** What a page can ask: each has a method of the reader. */
const PATHS = Object.keys(DOCUMENT.paths).filter((path) => path.startsWith('/x/'));

/** The commands that give the same to a terminal. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  '/x/session': ['open'],
  '/x/session/end': ['keys revoke'],
  '/x/session/token': ['open'],
  '/x/projects': ['projects'],
  '/x/calls/rows': ['ls', 'search'],
  '/x/calls/row': ['show'],
  '/x/calls/stats': ['stats'],
  '/x/calls/export': ['export', 'ls'],
  '/x/calls/changes': ['tail'],
  '/x/trace/skeleton': ['show'],
  '/x/trace/html': ['show'],
  '/x/views/list': ['views list'],
  '/x/views/save': ['views save'],
  '/x/views/delete': ['views delete'],
  '/x/clients': ['clients'],
  '/x/retention': ['doctor'],
};

const current = useMemoryService(async (reader) => {
  const started_at = new Date().toISOString();
  const start = { id: 'call-1', trace_id: 'trace-1', op_name: 'answer', started_at, inputs: {} };
  await reader.calls.write([{ mode: 'start', req: { start } }]);
});

test('every endpoint for pages has a command', () => {
  expect(PATHS.length).toBeGreaterThan(10);
  expect(Object.keys(COMMANDS).sort()).toEqual([...PATHS].sort());
  const program = createProgram();
  const commandOf = (words: string) =>
    words
      .split(' ')
      .reduce<ReturnType<typeof createProgram> | undefined>(
        (command, word) => command?.commands.find((each) => each.name() === word),
        program,
      );
  const missing = Object.values(COMMANDS)
    .flat()
    .filter((words) => commandOf(words) === undefined);
  expect(missing).toEqual([]);
});

test('every endpoint for pages has a method of the reader', async () => {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    asked.add(new URL(request.url ?? '', 'http://127.0.0.1').pathname);
    response.writeHead(400, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const reader = createReader({ url: `http://127.0.0.1:${port}`, apiKey: 'key', project: 'a/b', retries: 0 });
  for (const method of methodsOf(reader.page)) await called(method);
  expect(PATHS.filter((path) => !asked.has(path))).toEqual([]);
});

test('a view is saved, listed and deleted by its name', async () => {
  const service = current();
  await service.run('views', 'save', 'failed', '-f', 'status:error');
  expect((await service.run('views', 'list')).stdout).toMatch(/^failed +status:error /m);
  expect(await service.run('views', 'delete', 'failed')).toMatchObject({ code: 0, stdout: 'deleted failed\n' });
  expect((await service.run('views', 'list')).stdout).toBe('');
  const again = await service.run('views', 'delete', 'failed');
  expect({ code: again.code === 0, stderr: again.stderr }).toEqual({
    code: false,
    stderr: expect.stringContaining('failed') as string,
  });
});

test.each([
  ['trace-1', '/acme/demo/trace/trace-1'],
  ['call-1', '/acme/demo/trace/trace-1?call=call-1'],
])('open leads to %s, logged in', async (id, place) => {
  const { stdout, code } = await current().run('open', id, '--print');
  expect(code).toBe(0);
  const link = new URL(stdout.trim());
  const { url } = current().service;
  expect(link.origin).toBe(url);
  const fragment = new URLSearchParams(link.hash.slice(1));
  expect(fragment.get('to')).toBe(place);
  const answer = await fetch(`${url}/x/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-spoor-page': '1' },
    body: JSON.stringify({ token: fragment.get('token') }),
  });
  expect(answer.status).toBe(200);
});

test('open of what is nowhere says so and opens nothing', async () => {
  const { stdout, stderr, code } = await current().run('open', 'trace-of-nobody', '--print');
  expect({ stdout, code: code === 0, stderr }).toEqual({
    stdout: '',
    code: false,
    stderr: expect.stringContaining('trace-of-nobody') as string,
  });
});

type Method = (...args: unknown[]) => unknown;

function methodsOf(api: object): readonly Method[] {
  return Object.values(api).flatMap((member: unknown) =>
    typeof member === 'function' ? [member as Method] : methodsOf(member as object),
  );
}

/** Calls a method with as little as it takes; what it makes of the refusal is not looked at. */
async function called(method: Method): Promise<void> {
  try {
    const result: unknown = await method({ id: 'x', name: 'x', query: '', format: 'csv', ids: [] });
    if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
      for await (const _ of result as AsyncIterable<unknown>) return;
    }
  } catch {
    // The server refuses everything.
  }
}
