import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createProgram } from '../../../src/cli/program.ts';
import { createReader } from '../../../src/reader/reader.ts';
import { CLI, runNode } from '../../flow/service-process.ts';
import { DOCUMENT } from '../../server/published-schemas.ts';
import { PROJECT, useMemoryService } from './memory-service.ts';

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
  '/x/calls/differences': ['why'],
  '/x/calls/export': ['export', 'ls'],
  '/x/calls/changes': ['tail'],
  '/x/trace/skeleton': ['show'],
  '/x/trace/html': ['show'],
  '/x/views/list': ['views list'],
  '/x/views/save': ['views save'],
  '/x/views/delete': ['views delete'],
  '/x/clients': ['clients'],
  '/x/retention': ['doctor'],
  '/x/editor/open': ['open'],
  '/x/runs/list': ['runs'],
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

describe.skipIf(process.platform !== 'linux')('open at a desktop', () => {
  /** What `open` prints where `xdg-open` is what a test says, and what that was given. */
  async function openBy(program: string | undefined, env: NodeJS.ProcessEnv = { DISPLAY: ':0' }) {
    const { home, service } = current();
    const folder = mkdtempSync(join(tmpdir(), 'spoor-opener-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const given = join(folder, 'given');
    if (program !== undefined) {
      const text = `#!/bin/sh\nprintf '%s\\n' "$#" "$1" "$$" >'${given}'\n${program}\n`;
      writeFileSync(join(folder, 'xdg-open'), text, { mode: 0o755 });
    }
    // Of the machine that runs the tests nothing counts.
    const none = { CI: undefined, SSH_CONNECTION: undefined, DISPLAY: undefined, WAYLAND_DISPLAY: undefined };
    const { stdout, stderr, code } = await runNode([CLI, 'open', 'call-1', '--project', PROJECT], {
      home,
      env: { ...none, ...env, PATH: folder },
    });
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const place = '/acme/demo/trace/trace-1?call=call-1';
    const isLink = (text: string) =>
      text.startsWith(`${service.url}/ui/login#`) &&
      new URLSearchParams(new URL(text.trim()).hash.slice(1)).get('to') === place;
    return { stdout, isLink, given: () => (existsSync(given) ? readFileSync(given, 'utf8').split('\n') : undefined) };
  }

  test.each([{ DISPLAY: ':0' }, { WAYLAND_DISPLAY: 'wayland-0' }])(
    'hands the link to the browser as its one argument, and prints nothing: %j',
    async (env) => {
      const { stdout, isLink, given } = await openBy('exit 0', env);
      expect(stdout).toBe('');
      await expect.poll(() => given()?.length).toBe(4);
      const [count, link = ''] = given() ?? [];
      expect([count, isLink(link)]).toEqual(['1', true]);
      const answer = await fetch(`${current().service.url}/x/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-spoor-page': '1' },
        body: JSON.stringify({ token: new URLSearchParams(new URL(link).hash.slice(1)).get('token') }),
      });
      expect(answer.status).toBe(200);
    },
  );

  test('waits for no browser that is still open', async () => {
    const { stdout, given } = await openBy('exec /bin/sleep 600');
    expect(stdout).toBe('');
    await expect.poll(() => given()?.length).toBe(4);
    process.kill(Number(given()?.[2]));
  });

  test.each([
    ['no desktop', 'exit 0', {}],
    ['a desktop that is elsewhere', 'exit 0', { DISPLAY: ':0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }],
    ['no program that opens links', undefined, { DISPLAY: ':0' }],
    ['no browser', 'exit 3', { DISPLAY: ':0' }],
  ])('prints the link where there is %s', async (_, program, env) => {
    // A program that says too late that it has found none is taken for the browser itself.
    const opened = async () => {
      const { stdout, isLink } = await openBy(program, env);
      return { lines: stdout.split('\n').length, isLink: isLink(stdout) };
    };
    await expect.poll(opened).toEqual({ lines: 2, isLink: true });
  });
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
