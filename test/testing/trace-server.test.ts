import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { current, init, shutdown, stats, trace, traced, withThread } from '../../src/index.ts';
import { startTraceServer, type TraceServer } from '../../src/testing/traces/trace-server.ts';
import { buildOnce } from '../build.ts';

const search = traced((topic: string) => [`a page on ${topic}`], { name: 'search' });
const answer = traced(
  async (question: string) => {
    current().usage('m', { input: 3, output: 2, cacheRead: 5 });
    current().set({ shown: true });
    return search(question).join();
  },
  { name: 'answer', kind: 'agent' },
);

describe('a server of tests', () => {
  let server: TraceServer;

  beforeAll(async () => {
    server = await startTraceServer();
  });
  afterEach(() => server.clear());
  afterAll(() => server.close());

  test('gets the calls of this process without further ado', async () => {
    await withThread('chat-7', () => answer('tracks'));
    const { roots, calls } = await server.trace();
    expect(calls.map(({ name }) => name)).toEqual(['answer', 'search']);
    expect(roots[0]).toMatchObject({
      op: 'answer',
      inputs: { question: 'tracks' },
      output: 'a page on tracks',
      error: undefined,
      status: 'success',
      attributes: { kind: 'agent', shown: true },
      usage: { m: { requests: 1, input: 3, output: 2, cacheRead: 5, cacheWrite: 0, reasoning: 0, total: 10 } },
      threadId: 'chat-7',
      children: [{ op: 'search', inputs: { topic: 'tracks' }, output: ['a page on tracks'] }],
    });
    expect(roots[0]?.attributes).not.toHaveProperty('svc');
    expect(roots[0]?.turnId).toBe(roots[0]?.id);
    expect(roots[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });

  test('tells how a stream was read', async () => {
    const words = traced({ name: 'words' })(function* () {
      yield 'a';
      yield 'b';
    });
    expect([...words()]).toEqual(['a', 'b']);
    const { roots } = await server.trace('words');
    expect(roots[0]?.stream).toEqual({ chunks: 2, firstChunkMs: expect.any(Number), reason: 'end' });
  });

  test('waits for a call that has not ended', async () => {
    let finish = () => {};
    const slow = trace('slow', () => new Promise<void>((resolve) => (finish = resolve)));
    const reading = server.trace('slow');
    expect((await server.calls()).roots[0]?.status).toBe('running');
    finish();
    await slow;
    expect((await reading).roots[0]?.status).toBe('success');
  });

  test('forgets what is cleared', async () => {
    await answer('tracks');
    expect((await server.calls()).calls).toHaveLength(2);
    await server.clear();
    expect((await server.calls()).calls).toEqual([]);
  });

  test('does not choose between traces', async () => {
    await answer('one');
    search('two');
    await expect(server.trace()).rejects.toThrow(/several\n\n✓ answer .*\n└─ ✓ search .*\n✓ search /);
    expect((await server.trace('search')).calls).toHaveLength(1);
  });

  test('gets the calls of programs that are started with its variables', async () => {
    await buildOnce();
    const code = "import { trace } from 'spoor'; trace('child', () => 1)";
    const env = { ...process.env, ...server.environment };
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env });
    expect((await server.trace('child')).calls).toHaveLength(1);
  }, 120_000);
});

describe('each with a server of its own', () => {
  let server: TraceServer;

  beforeEach(async () => {
    server = await startTraceServer({ timeoutMs: 0 });
  });
  afterEach(async () => {
    await server.close();
    await shutdown();
  });

  test('a trace that does not come is an error that shows what there is', async () => {
    search('tracks');
    await expect(server.trace('answer')).rejects.toThrow(
      /^Cannot read a trace of "answer" after 0 ms: it is not there\n\n✓ search \{"topic":"tracks"\} → \["a page on tracks"\]\n$/,
    );
  });

  test('recording that had started before is said', async () => {
    const other = await startTraceServer();
    search('tracks');
    await expect(server.trace()).rejects.toThrow(`This process records to ${other.options.url}: recording had started`);
    await other.close();
  });

  test('init keeps its other options, and a project of its own is read too', async () => {
    init({ project: 'acme/shop', attributes: { env: 'test' } });
    search('tracks');
    const { roots } = await server.trace('search');
    expect(roots[0]?.record.project_id).toBe('acme/shop');
    expect(roots[0]?.attributes).toEqual({ env: 'test' });
    await server.clear();
    expect((await server.calls()).calls).toEqual([]);
  });

  test('close ends recording to it and leaves nothing behind', async () => {
    search('tracks');
    const { home } = server.options;
    expect(process.env['SPOOR_URL']).toBe(server.options.url);
    await server.close();
    expect(process.env['SPOOR_URL']).toBeUndefined();
    expect(stats()).toMatchObject({ recorded: 0, sent: 0, objects: { recorded: 0 }, url: undefined });
    expect(existsSync(home)).toBe(false);
    await server.close();
  });
});
