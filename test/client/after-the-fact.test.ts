import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  type CallHandle,
  current,
  flush,
  init,
  type Problem,
  shutdown,
  startCall,
  trace,
  traced,
  withContext,
} from 'spoor';
import { createReader, type Reader } from 'spoor/reader';
import { createServer, type SpoorServer } from 'spoor/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

let home: string;
let server: SpoorServer;
let reader: Reader;
let problems: Problem[];
let projects = 0;

beforeAll(async () => {
  for (const name of ['SPOOR_URL', 'SPOOR_API_KEY', 'SPOOR_DISABLED', 'SPOOR_SAMPLE']) vi.stubEnv(name, undefined);
  home = mkdtempSync(join(tmpdir(), 'spoor-after-'));
  server = await createServer({ storage: 'memory', port: 0, home });
});

afterAll(async () => {
  await server.close();
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

/** Each test has a project of its own. */
beforeEach(() => {
  projects += 1;
  problems = [];
  const { url, apiKey } = server;
  const project = `acme/p${projects}`;
  init({ url, apiKey, home, project, onError: (problem) => problems.push(problem) });
  reader = createReader({ url, apiKey, project });
});

afterEach(async () => {
  await shutdown();
  if (problems.length > 0) throw new Error(`There were problems: ${JSON.stringify(problems)}`);
});

/** The summaries as the service tells them, by name of the call. */
async function summaries(): Promise<Record<string, Record<string, unknown>>> {
  await flush();
  const found: Record<string, Record<string, unknown>> = {};
  for await (const call of reader.calls.query({})) {
    const name = /\/op\/([^:]+)/.exec(call.op_name)?.[1] ?? call.op_name;
    const { status_counts, usage } = call.summary ?? {};
    found[name] = { ...(status_counts as object), ...(usage === undefined ? {} : { usage: tokensIn(usage) }) };
  }
  return found;
}

function tokensIn(usage: unknown): Record<string, number> {
  const models = Object.entries(usage as Record<string, { total_tokens: number }>);
  return Object.fromEntries(models.map(([model, { total_tokens }]) => [model, total_tokens]));
}

const spend = (tokens: number) => current().usage('m', { input: tokens });

/** Runs `fn` as a call of this name. */
const call = <Result>(name: string, fn: () => Result): Result => traced(fn, { name, op: false })();

function tellAll(handle: CallHandle): void {
  handle.set({ hits: 3, apiKey: 'sk-should-not-be-seen' });
  handle.set({ more: true });
  handle.usage('m', { input: 5, output: 2 });
  handle.name('Told later');
}

/** Sends feedback, too, and expects all of it at the service. */
async function expectTold(handle: CallHandle): Promise<void> {
  await handle.feedback('thumbs', { up: true });
  await flush();
  const read = await reader.calls.get(handle.id);
  expect(read).toMatchObject({
    display_name: 'Told later',
    summary: {
      attributes: { hits: 3, apiKey: '[masked]', more: true },
      usage: { m: { requests: 1, input_tokens: 5, output_tokens: 2, total_tokens: 7 } },
    },
  });
  const fields = ['svc_ref', 'feedback_type', 'payload'];
  expect(await reader.feedback.query({ fields })).toEqual([
    { svc_ref: handle.ref, feedback_type: 'thumbs', payload: { up: true } },
  ]);
}

test('what a handle says while the call runs arrives', async () => {
  const handle = call('ask', () => {
    tellAll(current());
    return current();
  });
  expect(handle.isRecording).toBe(true);
  await expectTold(handle);
});

test('what a handle says after the call has ended arrives', async () => {
  const handle = call('ask', () => current());
  await flush();
  expect((await reader.calls.get(handle.id))?.ended_at).toBeTruthy();
  tellAll(handle);
  await expectTold(handle);
  expect((await reader.calls.get(handle.id))?.output).toBeDefined();
});

test('what a handle says after the parent has ended arrives, and the parent adds it up', async () => {
  const handle = call('outer', () => call('middle', () => call('ask', () => current())));
  await flush();
  tellAll(handle);
  await expectTold(handle);
  expect(await summaries()).toEqual({
    outer: { success: 3, error: 0, usage: { m: 7 } },
    middle: { success: 2, error: 0, usage: { m: 7 } },
    ask: { success: 1, error: 0, usage: { m: 7 } },
  });
});

test('what the handle of a failed call and of one that was started by hand say arrives', async () => {
  let failed: CallHandle | undefined;
  const fail = () =>
    call('fail', () => {
      failed = current();
      throw new Error('no');
    });
  expect(fail).toThrow('no');
  failed?.set({ retried: true });
  const started = startCall('import', { file: 'a' });
  started.end('done');
  started.set({ rows: 4 });
  started.end('again');
  await flush();
  const [one, other] = [await reader.calls.get(failed?.id ?? ''), await reader.calls.get(started.id)];
  expect(one).toMatchObject({
    exception: expect.stringContaining('Error: no'),
    summary: { attributes: { retried: true } },
  });
  expect(other).toMatchObject({ output: 'done', summary: { attributes: { rows: 4 } } });
});

test('stored resolves when the call can be read, and so it does after each later word', async () => {
  const handle = call('ask', () => current());
  await handle.stored();
  expect((await reader.calls.get(handle.id))?.id).toBe(handle.id);
  handle.set({ late: true });
  await handle.stored();
  expect((await reader.calls.get(handle.id))?.summary).toMatchObject({ attributes: { late: true } });
});

test('url leads to the call, also after it has ended', () => {
  const [handle, during] = call('ask', () => [current(), current().url] as const);
  expect(handle.url).toBe(during);
  expect(handle.url).toBe(`${server.url}/ui/acme/p${projects}/trace/${handle.traceId}?call=${handle.id}`);
});

test('outside of a call, and in one that is not recorded, the handle does nothing', async () => {
  for (const handle of [current(), withContext({ enabled: false }, () => call('off', () => current()))]) {
    tellAll(handle);
    await handle.feedback('thumbs', { up: true });
    await handle.stored();
    const { id, traceId, ref, url, threadId, isRecording } = handle;
    expect({ id, traceId, ref, url, threadId, isRecording }).toEqual({
      id: '',
      traceId: '',
      ref: '',
      url: undefined,
      threadId: undefined,
      isRecording: false,
    });
  }
  expect(await summaries()).toEqual({});
  expect(await reader.feedback.query({})).toEqual([]);
});

test('what a handle says after shutdown waits on disk for the next program', async () => {
  const handle = call('ask', () => current());
  await shutdown();
  tellAll(handle);
  const spooled = () =>
    readdirSync(join(home, 'spool'))
      .map((file) => readFileSync(join(home, 'spool', file), 'utf8'))
      .join('');
  await expect.poll(spooled, { timeout: 20_000 }).toContain('Told later');
  expect(await reader.calls.get(handle.id)).toMatchObject({
    id: handle.id,
    summary: { status_counts: { success: 1 } },
  });
});

test('failed children count as errors in all above them, and their tokens count', async () => {
  call('root', () => {
    spend(1);
    call('good', () => spend(10));
    try {
      call('bad', () => {
        spend(100);
        throw new Error('no');
      });
    } catch {
      // The parent goes on.
    }
  });
  expect(await summaries()).toEqual({
    root: { success: 2, error: 1, usage: { m: 111 } },
    good: { success: 1, error: 0, usage: { m: 10 } },
    bad: { success: 0, error: 1, usage: { m: 100 } },
  });
});

test('children that end, fail or spend after their parent are counted by all above it', async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const late: Promise<unknown>[] = [];
  call('root', () =>
    call('parent', () => {
      late.push(call('late', () => gate.then(() => 'done')));
      late.push(call('lateFailure', () => gate.then(() => Promise.reject(new Error('no')))));
      late.push(call('lateSpender', async () => (await gate, spend(8))));
    }),
  );
  expect((await summaries())['root']).toEqual({ success: 2, error: 0 });
  release();
  await Promise.allSettled(late);
  expect(await summaries()).toEqual({
    root: { success: 4, error: 1, usage: { m: 8 } },
    parent: { success: 3, error: 1, usage: { m: 8 } },
    late: { success: 1, error: 0 },
    lateFailure: { success: 0, error: 1 },
    lateSpender: { success: 1, error: 0, usage: { m: 8 } },
  });
});

test('a child that is called when its parent is over is counted, too', async () => {
  const later: Promise<void>[] = [];
  const root = call('root', () => {
    const straggle = () => call('straggler', () => spend(3));
    later.push(new Promise((resolve) => setTimeout(() => resolve(straggle()), 1)));
    return current();
  });
  await root.stored();
  await Promise.all(later);
  expect(await summaries()).toEqual({
    root: { success: 2, error: 0, usage: { m: 3 } },
    straggler: { success: 1, error: 0, usage: { m: 3 } },
  });
});

test('generators and streams count what their bodies call, also when they are left early or fail', async () => {
  const count = traced(
    function* count() {
      for (let index = 0; ; index++) yield call(`g${index}`, () => (spend(1), index));
    },
    { name: 'count', op: false },
  );
  const tell = traced(
    async function* tell() {
      yield call('a', () => spend(10));
      await Promise.resolve();
      yield call('b', () => spend(10));
      throw new Error('no more');
    },
    { name: 'tell', op: false },
  );
  const web = traced(
    function web() {
      let pulls = 0;
      return new ReadableStream<number>({
        pull: (controller) => (pulls++ < 2 ? controller.enqueue(pulls) : controller.close()),
      });
    },
    { name: 'web', op: false, usage: () => ({ model: 'm', input: 100 }) },
  );
  const node = traced(() => Readable.from(['x', 'y']), {
    name: 'node',
    op: false,
    usage: () => ({ model: 'm', input: 1000 }),
  });
  await call('root', async () => {
    for (const index of count()) if (index === 2) break;
    try {
      for await (const part of tell()) expect(part).toBeUndefined();
    } catch {
      // It is over then.
    }
    for await (const chunk of web()) expect(chunk).toBeGreaterThan(0);
    const readable = node();
    readable.resume();
    await once(readable, 'close');
  });
  expect(await summaries()).toMatchObject({
    root: { success: 9, error: 1, usage: { m: 1123 } },
    count: { success: 4, error: 0, usage: { m: 3 } },
    tell: { success: 2, error: 1, usage: { m: 20 } },
    web: { success: 1, error: 0, usage: { m: 100 } },
    node: { success: 1, error: 0, usage: { m: 1000 } },
  });
});

test('a stream that is read when its parent has ended is counted late', async () => {
  const stream = traced(() => Readable.from(['x', 'y']), {
    name: 'stream',
    op: false,
    usage: () => ({ model: 'm', input: 7 }),
  });
  let readable: Readable | undefined;
  call('root', () => {
    readable = stream();
  });
  expect((await summaries())['root']).toEqual({ success: 1, error: 0 });
  readable?.resume();
  await once(readable ?? new Readable(), 'close');
  expect((await summaries())['root']).toEqual({ success: 2, error: 0, usage: { m: 7 } });
});

test('what is not recorded is not counted, and does not stop the counting above it', async () => {
  call('root', () => {
    call('kept', () => spend(1));
    withContext({ enabled: false }, () => call('silent', () => call('deeper', () => spend(10))));
  });
  withContext({ sample: 0 }, () => call('unsampled', () => call('below', () => spend(100))));
  trace('chosen', () => call('belowChosen', () => spend(1000)), { sample: 1 });
  expect(await summaries()).toEqual({
    root: { success: 2, error: 0, usage: { m: 1 } },
    kept: { success: 1, error: 0, usage: { m: 1 } },
    chosen: { success: 2, error: 0, usage: { m: 1000 } },
    belowChosen: { success: 1, error: 0, usage: { m: 1000 } },
  });
});

test('usage of several models stays apart, with requests and all buckets', async () => {
  const handle = call('root', () => {
    call('one', () => {
      current().usage('small', { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5 });
      current().usage('small', { input: 1 });
      current().usage('large', { output: 10 });
    });
    call('two', () => current().usage('large', { output: 10, raw: { completion: 10 } }));
    return current();
  });
  await flush();
  expect((await reader.calls.get(handle.id))?.summary).toMatchObject({
    usage: {
      small: {
        requests: 2,
        input_tokens: 2,
        output_tokens: 2,
        cache_read_tokens: 3,
        cache_write_tokens: 4,
        reasoning_tokens: 5,
        total_tokens: 16,
      },
      large: { requests: 2, input_tokens: 0, output_tokens: 20, total_tokens: 20 },
    },
  });
});
