import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serviceFetch } from '../../src/cli/network/service-fetch.ts';
import { CLI, runNode } from '../flow/service-process.ts';
import { startAnsweringServer } from '../reader/answering-server.ts';
import { useMemoryService } from './commands/memory-service.ts';

const WAYS = [
  ['the one of Node', fetch],
  ['that of commands', serviceFetch],
] as const;

describe.each(WAYS)('%s', (_name, send) => {
  test('hands on status, headers and text of any length', async () => {
    for (const size of [0, 1, 70_000, 3_000_000]) {
      const text = 'é'.repeat(size);
      const server = await startAnsweringServer((response) => {
        response.writeHead(size === 1 ? 404 : 200, { 'X-Own': 'a' }).end(text);
      });
      const answer = await send(server.url, { method: 'POST', headers: { 'x-asked': 'b' }, body: '{"a":1}' });
      expect([answer.status, answer.ok]).toEqual(size === 1 ? [404, false] : [200, true]);
      expect([answer.headers.get('X-Own'), answer.headers.get('x-none')]).toEqual(['a', null]);
      expect((await answer.text()) === text).toBe(true);
      expect(server.received[0]).toMatchObject({ method: 'POST', body: { a: 1 }, headers: { 'x-asked': 'b' } });
    }
  });

  test('hands on JSON, bytes and a stream', async () => {
    const server = await startAnsweringServer((response) => response.end('[1]'));
    expect(await (await send(server.url)).json()).toEqual([1]);
    expect(Buffer.from(await (await send(server.url)).arrayBuffer()).toString()).toBe('[1]');
    const reader = (await send(server.url)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('[1]');
    expect((await reader?.read())?.done).toBe(true);
  });

  test('follows where an answer leads to', async () => {
    const to = await startAnsweringServer((response) => response.end('there'));
    const from = await startAnsweringServer((response) => response.writeHead(308, { location: to.url }).end());
    const answer = await send(from.url, { method: 'POST', body: '{"a":1}' });
    expect([answer.status, await answer.text()]).toEqual([200, 'there']);
    expect(to.received).toMatchObject([{ method: 'POST', body: { a: 1 } }]);
  });

  test('a stream that is left at any time ends the connection, and nothing else', async () => {
    let ended = 0;
    const server = await startAnsweringServer((response) => {
      response.on('close', () => (ended += 1));
      response.write('x'.repeat(3_000_000));
    });
    for (let reads = 0; reads < 30; reads += 1) {
      const reader = (await send(server.url)).body?.getReader();
      for (let read = 0; read < reads % 4; read += 1) await reader?.read();
      const waiting = reads % 2 === 0 ? reader?.read() : undefined;
      await reader?.cancel();
      await waiting?.catch(() => undefined);
    }
    await expect.poll(() => ended).toBe(30);
  });

  test('rejects where nobody listens, where it is aborted and where the answer is cut', async () => {
    await expect(send('http://127.0.0.1:1/')).rejects.toThrow(/ECONNREFUSED|fetch failed/);
    const silent = await startAnsweringServer(() => undefined);
    await expect(send(silent.url, { signal: AbortSignal.timeout(20) })).rejects.toThrow(/abort|timeout/i);
    const cutting = await startAnsweringServer((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => response.destroy());
    });
    await expect(send(cutting.url).then((answer) => answer.text())).rejects.toThrow(/abort|terminated/);
    const stalled = await startAnsweringServer((response) => void response.write('half'));
    const abort = new AbortController();
    const answer = await send(stalled.url, { signal: abort.signal });
    abort.abort();
    await expect(answer.text()).rejects.toThrow(/abort/i);
  });
});

const memoryService = useMemoryService((reader) =>
  reader.calls.start({ id: 'c1', trace_id: 't1', op_name: 'f', started_at: '2026-01-01T00:00:00Z' }),
);

test.each([['ls'], ['show'], ['ls', '-f', 'started:24h'], ['threads'], ['doctor']])(
  'the parts of fetch are not loaded by "%s"',
  async (...args) => {
    const { home } = memoryService();
    const listing = join(home, 'listing.cjs');
    const said = 'JSON.stringify(process.moduleLoadList)';
    writeFileSync(listing, `process.on('exit', () => process.stderr.write('\\nloaded ' + ${said} + '\\n'));`);
    const run = await runNode(['--require', listing, CLI, ...args], { home, env: { SPOOR_PROJECT: 'acme/demo' } });
    const loaded = JSON.parse(/^loaded (.*)$/m.exec(run.stderr)?.[1] ?? '[]') as readonly string[];
    expect(loaded).toContain('NativeModule http');
    expect(loaded.filter((name) => name.includes('undici'))).toEqual([]);
  },
);
