import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flush, get, init, ObjectRef, publish, shutdown, startCall, StringPrompt, traced } from 'spoor';
import { createReader, type Reader, TracingError } from 'spoor/reader';
import { createServer, type SpoorServer } from 'spoor/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

const PROJECT = 'acme/get';
const HEAD = `svc:///${PROJECT}`;
const NEVER = 'x'.repeat(43);

let home: string;
let server: SpoorServer;
let reader: Reader;
/** Paths of the requests that reading made, and what the last one asked for. */
let asked: string[];
let lastBody: unknown;

beforeAll(async () => {
  for (const name of ['SPOOR_URL', 'SPOOR_API_KEY', 'SPOOR_DISABLED']) vi.stubEnv(name, undefined);
  home = mkdtempSync(join(tmpdir(), 'get-'));
  server = await createServer({ storage: 'memory', port: 0, home: join(home, 'server'), logLevel: 'silent' });
  reader = createReader({ url: server.url, apiKey: server.apiKey, project: PROJECT });
});

beforeEach(() => {
  asked = [];
  init({ url: server.url, apiKey: server.apiKey, project: PROJECT, home });
  const send = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, options) => {
    asked.push(new URL(input).pathname);
    lastBody = typeof options?.body === 'string' ? JSON.parse(options.body) : undefined;
    return send(input, options);
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await shutdown();
});

afterAll(async () => {
  await server.close();
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

/** An object that this process knows only from the service. */
async function store(name: string, val: unknown): Promise<string> {
  const { digest } = await reader.objects.create({ object_id: name, val });
  asked.length = 0;
  return `${HEAD}/object/${name}:${digest}`;
}

/** How a read ended: its value, or the code of its error. */
async function outcome(ref: string): Promise<unknown> {
  return get(ref).catch((error: unknown) => (error instanceof TracingError ? error.code : error));
}

test('an object is read whole, and by steps through members, positions and references', async () => {
  const inner = await store('inner', { list: [{ deep: 'x' }, null], nothing: null, 'a/b': 1 });
  const outer = await store('outer', { inner, text: 'svc:///no ref' });
  const whole = await get<{ inner: ObjectRef; text: string }>(outer);
  expect(whole.text).toBe('svc:///no ref');
  expect(whole.inner).toBeInstanceOf(ObjectRef);
  expect(String(whole.inner)).toBe(inner);
  expect(await whole.inner.get()).toEqual({ list: [{ deep: 'x' }, null], nothing: null, 'a/b': 1 });
  expect(await get(`${outer}/attr/inner/key/list/index/0/key/deep`)).toBe('x');
  expect(await get(`${inner}/key/a%2Fb`)).toBe(1);
});

test('null is told from nothing', async () => {
  const inner = await store('inner', { list: [1, null], nothing: null });
  const outer = await store('nulls', { inner });
  const none = await store('none', null);
  expect(await outcome(none)).toBeNull();
  expect(await outcome(`${inner}/key/nothing`)).toBeNull();
  expect(await outcome(`${outer}/key/inner/key/nothing`)).toBeNull();
  expect(await outcome(`${inner}/key/list/index/1`)).toBeNull();
  expect(await outcome(`${inner}/key/list/index/2`)).toBe('not_found');
  expect(await outcome(`${inner}/key/missing`)).toBe('not_found');
  expect(await outcome(`${outer}/key/inner/key/missing`)).toBe('not_found');
  expect(await outcome(`${inner}/key/nothing/key/more`)).toBe('not_found');
  expect(await outcome(`${inner}/key/list/index/0/key/more`)).toBe('not_found');
});

test('references of one turn of the event loop are one request, and one asked for twice is answered once', async () => {
  const refs = await Promise.all(Array.from({ length: 40 }, (_, index) => store('many', { index })));
  asked.length = 0;
  const values = await Promise.all([...refs, ...refs].map((ref) => get(ref)));
  expect(values).toEqual([...refs, ...refs].map((_, index) => ({ index: index % 40 })));
  expect(values[0]).not.toBe(values[40]);
  expect(asked).toEqual(['/refs/read_batch']);
  expect(lastBody).toEqual({ refs });
});

test('more than a thousand references are as many requests as that takes', async () => {
  const ref = await store(
    'list',
    Array.from({ length: 2001 }, (_, index) => index),
  );
  const values = await Promise.all(Array.from({ length: 2001 }, (_, index) => get(`${ref}/index/${index}`)));
  expect(values).toEqual(Array.from({ length: 2001 }, (_, index) => index));
  expect(asked).toEqual(['/refs/read_batch', '/refs/read_batch', '/refs/read_batch']);
});

test('a reference that cannot be read costs no other', async () => {
  const good = await store('good', { n: 1 });
  const deleted = await store('deleted', { n: 2 });
  await reader.objects.delete('deleted');
  const row = `svc:///${PROJECT}/table/${'a'.repeat(64)}/id/${NEVER}`;
  const refs = [good, `${HEAD}/object/good:${NEVER}`, deleted, `${HEAD}/call/none`, row, `${good}/key/n`];
  expect(await Promise.all(refs.map(outcome))).toEqual([
    { n: 1 },
    'not_found',
    'object_deleted',
    'not_found',
    'not_found',
    1,
  ]);
});

test('versions that never were are left out at once', async () => {
  const good = await store('good', { n: 1 });
  const bad = Array.from({ length: 20 }, (_, index) => `${HEAD}/object/good:${String(index).padStart(43, 'x')}`);
  const outcomes = await Promise.all([...bad, good].map(outcome));
  expect(outcomes).toEqual([...bad.map(() => 'not_found'), { n: 1 }]);
  expect(asked).toEqual(['/refs/read_batch', '/refs/read_batch']);
});

test('latest and v<N> are read, whole and by steps', async () => {
  await store('versions', { n: 0 });
  await store('versions', { n: 1 });
  expect(await get(`${HEAD}/object/versions:latest`)).toEqual({ n: 1 });
  expect(await get(`${HEAD}/object/versions:v0`)).toEqual({ n: 0 });
  expect(await get(`${HEAD}/object/versions:latest/key/n`)).toBe(1);
  expect(await get(`${HEAD}/object/versions:v0/key/n`)).toBe(0);
  expect(await outcome(`${HEAD}/object/versions:v2`)).toBe('not_found');
  expect(await outcome(`${HEAD}/object/nothing:latest`)).toBe('not_found');
  expect(await outcome(`${HEAD}/object/versions:latest/key/m`)).toBe('not_found');
});

test('latest of what was published a moment ago is that, and another process is seen, too', async () => {
  publish({ n: 5 }, 'fresh');
  expect(await get(`${HEAD}/object/fresh:latest`)).toEqual({ n: 5 });
  publish({ n: 6 }, 'fresh');
  expect(await get(`${HEAD}/object/fresh:v1/key/n`)).toBe(6);
  await store('fresh', { n: 7 });
  expect(await get(`${HEAD}/object/fresh:latest`)).toEqual({ n: 7 });
});

test('latest of an op is the op, also where an object bears its name', async () => {
  const val = (n: number) => ({ _type: 'CustomType', svc_type: { type: 'Op' }, n });
  await store('both', val(0));
  await store('both', val(1));
  await store('both', { plain: true });
  expect(await get(`${HEAD}/op/both:latest`)).toEqual(val(1));
  expect(await get(`${HEAD}/op/both:v0`)).toEqual(val(0));
  expect(await get(`${HEAD}/object/both:latest`)).toEqual({ plain: true });
});

test('tables are read whole and by row', async () => {
  const rows = [{ q: 'a', n: 1 }, { q: 'b' }];
  const { digest, row_digests: digests } = await reader.tables.create({ rows });
  const table = `${HEAD}/table/${digest}`;
  const dataset = await store('dataset', { _type: 'Dataset', rows: table });
  expect(await get(table)).toEqual(rows);
  expect(await get(`${table}/id/${digests[1]}`)).toEqual({ q: 'b' });
  expect(await get(`${dataset}/attr/rows/id/${digests[0]}`)).toEqual({ q: 'a', n: 1 });
  expect(await get(`${dataset}/attr/rows/id/${digests[0]}/key/n`)).toBe(1);
  expect(await outcome(`${HEAD}/table/${'b'.repeat(64)}`)).toBe('not_found');
  const empty = await reader.tables.create({ rows: [] });
  expect(await get(`${HEAD}/table/${empty.digest}`)).toEqual([]);
});

test('calls and ops are read', async () => {
  const double = traced((n: number) => 2 * n, { name: 'double' });
  double(4);
  const call = startCall('step', { n: 1 });
  call.end({ deep: ['done'] });
  await flush();
  expect(await get(call.ref)).toMatchObject({ id: call.id, output: { deep: ['done'] } });
  expect(await get(`${call.ref}/attr/output/key/deep/index/0`)).toBe('done');
  expect(await get(`${HEAD}/op/double:latest`)).toMatchObject({ _type: 'CustomType' });
});

test('what was published here is read before it is sent, by steps and through references, without a request', async () => {
  class Inner {
    readonly list = [1, { deep: 'x' }];
  }
  const outer = publish({ inner: new Inner() }, 'unsent');
  expect(await get(`${String(outer)}/attr/inner/attr/list/index/1/key/deep`)).toBe('x');
  expect(await get(publish(traced(() => 1, { name: 'unsent' })))).toMatchObject({ svc_type: { type: 'Op' } });
  expect(await outcome(`${String(outer)}/attr/inner/attr/missing`)).toBe('not_found');
  expect(asked).toEqual([]);
});

test('a path that leads from memory to what only the service knows goes on there', async () => {
  const there = await store('there', { n: 7 });
  const here = publish({ there }, 'here');
  expect(await get(`${String(here)}/key/there/key/n`)).toBe(7);
});

test('a typed object comes back with its fields, a prompt as a prompt', async () => {
  class Settings {
    readonly n = 1;
  }
  await publish(new Settings()).stored();
  expect(await get(`${HEAD}/object/Settings:latest`)).toEqual({
    _type: 'Settings',
    _class_name: 'Settings',
    _bases: ['Object', 'BaseModel'],
    n: 1,
  });
  await new StringPrompt({ name: 'greet', content: 'Hi {name}' }).publish().stored();
  const prompt = await get<StringPrompt>(`${HEAD}/object/greet:latest`);
  expect(prompt.format({ name: 'Ada' })).toBe('Hi Ada');
  const found = await reader.objects.query({ filter: { base_object_classes: ['Prompt'] } });
  expect(found.map(({ object_id: name, leaf_object_class: leaf }) => [name, leaf])).toEqual([
    ['greet', 'StringPrompt'],
  ]);
});

test.each([
  ['nonsense', 'is "nonsense": it does not start with svc:///'],
  [`${HEAD}/thing/a:b`, '"thing" is not object, op, call or table'],
  [`${HEAD}/object/a:*`, 'its version "*" names more than one'],
  [`${HEAD}/object/a:latest/key`, 'an edge has no value'],
  [5, 'is a number, not a reference'],
  [undefined, 'is undefined, not a reference'],
])('%s is refused by the name of the argument', async (ref, reason) => {
  const refused = get(ref as string);
  await expect(refused).rejects.toThrow(TypeError);
  await expect(refused).rejects.toThrow('Cannot get: the argument "ref"');
  await expect(refused).rejects.toThrow(reason);
  expect(asked).toEqual([]);
});

test('a service that is away is unavailable', async () => {
  const ref = await store('away', { n: 1 });
  vi.mocked(globalThis.fetch).mockClear().mockRejectedValue(new TypeError('fetch failed'));
  // Timers of tests do not hold it up, so it takes the seconds of its pauses.
  expect(await outcome(ref)).toBe('unavailable');
  expect(vi.mocked(globalThis.fetch)).toHaveBeenCalledTimes(4);
});
