import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capture } from '../../src/tracing/capture/capture.ts';
import { type CaptureLimits, DEFAULT_CAPTURE_LIMITS } from '../../src/tracing/capture/capture-limits.ts';
import { compileMask } from '../../src/tracing/mask/mask.ts';

const MASK = compileMask(undefined);

function captured(value: unknown, limits: Partial<CaptureLimits> = {}): unknown {
  return capture(value, 'inputs', MASK, { ...DEFAULT_CAPTURE_LIMITS, ...limits }).value;
}

const fail = (): never => {
  throw new Error('trap');
};

class Point {
  readonly x = 1;
  readonly apiKey = 'k-123';
}

class Temperature {
  toJSON(): unknown {
    return { celsius: 20 };
  }
}

class OpenAI {
  readonly apiKey = 'x';
}

const revoked = Proxy.revocable({}, {});
revoked.revoke();

describe('values', () => {
  test.each<[string, unknown, unknown]>([
    ['a text', 'a', 'a'],
    ['a number', 1.5, 1.5],
    ['NaN', Number.NaN, 'NaN'],
    ['Infinity', Number.NEGATIVE_INFINITY, '-Infinity'],
    ['a boolean', false, false],
    ['null', null, null],
    ['undefined', undefined, null],
    ['undefined in an array', [undefined, 1], [null, 1]],
    ['undefined in an object', { a: undefined, b: 1 }, { b: 1 }],
    ['a BigInt', 12345678901234567890n, '12345678901234567890'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a symbol key', { [Symbol('s')]: 1, a: 2 }, { a: 2 }],
    ['a Date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid Date', new Date(Number.NaN), 'Invalid Date'],
    ['a Map with text keys', new Map([['a', 1]]), { a: 1 }],
    ['a Map with other keys', new Map([[1, 'a']]), [[1, 'a']]],
    ['a Map with secrets', new Map([['password', 'x']]), { password: '[masked]' }],
    ['a Set', new Set([1, { a: 2 }]), [1, { a: 2 }]],
    ['a WeakMap', new WeakMap(), '[WeakMap]'],
    ['a RegExp', /a+/g, '/a+/g'],
    [
      'a URL',
      new URL('https://user:hunter2@example.com/a?token=abc'),
      'https://user:[masked]@example.com/a?token=[masked]',
    ],
    ['URLSearchParams', new URLSearchParams({ api_key: 'abc', q: 'x' }), 'api_key=[masked]&q=x'],
    ['Headers', new Headers({ authorization: 'abc', accept: 'x' }), { accept: 'x', authorization: '[masked]' }],
    ['a boxed text', Object('a'), 'a'],
    ['a function', fail, '[Function: fail]'],
    ['a class', Point, '[Function: Point]'],
    ['a Promise', Promise.resolve(1), '[Promise]'],
    ['a Buffer', Buffer.alloc(10), '[Buffer: 10 bytes]'],
    ['bytes', new Uint8Array(3), '[Uint8Array: 3 bytes]'],
    ['an ArrayBuffer', new ArrayBuffer(8), '[ArrayBuffer: 8 bytes]'],
    ['a short typed array', new Float64Array([1, 2]), [1, 2]],
    ['a Blob', new Blob(['abc']), '[Blob: 3 bytes]'],
    ['a stream of Node', Readable.from(['a']), '[Readable]'],
    ['a web stream', new ReadableStream(), '[ReadableStream]'],
    ['a generator', (function* () {})(), '[Generator]'],
    ['an AbortSignal', AbortSignal.abort(), '[AbortSignal: aborted]'],
    ['a Response', new Response('body', { status: 201 }), '[Response 201]'],
    ['a Request', new Request('http://u.test/a', { method: 'PUT' }), '[Request PUT http://u.test/a]'],
    ['an instance', new Point(), { _class: 'Point', x: 1, apiKey: '[masked]' }],
    ['an instance with toJSON', new Temperature(), { celsius: 20 }],
    ['a client of a provider', new OpenAI(), '[OpenAI]'],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['a sparse array', Object.assign([], { 2: 'c', length: 3 }), [null, null, 'c']],
    ['a revoked proxy', revoked.proxy, '[Unreadable]'],
    ['a proxy that throws', new Proxy({}, { ownKeys: fail, getPrototypeOf: fail }), '[Unreadable]'],
    ['toJSON that throws', { toJSON: fail, a: 1 }, '[Unreadable]'],
  ])('%s', (_name, value, expected) => {
    expect(captured(value)).toEqual(expected);
  });

  test('minus zero is zero as in JSON', () => {
    expect(JSON.stringify(captured([-0]))).toBe('[0]');
  });

  test('a getter that throws costs its own member only', () => {
    const value = {
      a: 1,
      get b() {
        return fail();
      },
      c: 3,
    };
    expect(captured(value)).toEqual({ a: 1, b: '[Unreadable]', c: 3 });
  });

  test('toJSON that returns the object itself shows its members', () => {
    const value = {
      a: 1,
      toJSON(): unknown {
        return this;
      },
    };
    expect(captured(value)).toMatchObject({ a: 1 });
  });

  test('circles are marked, and what is merely shared is not', () => {
    const shared = { s: 1 };
    const circle: Record<string, unknown> = { shared, again: shared };
    circle['self'] = [circle];
    Object.freeze(circle);
    expect(captured(circle)).toEqual({ shared: { s: 1 }, again: { s: 1 }, self: ['[Circular]'] });
  });

  test('a member called __proto__ stays a member', () => {
    const copy = captured(JSON.parse('{"__proto__": {"polluted": true}, "a": 1}'));
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true},"a":1}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  test('errors tell name, message, stack, codes, causes and members', () => {
    const error = new AggregateError([new Error('one'), 'two'], 'both', { cause: new TypeError('why') });
    Object.assign(error, { code: 'E_BOTH', status: 500, request: { secret: 'x' } });
    expect(captured({ error })).toMatchObject({
      error: {
        name: 'AggregateError',
        message: 'both',
        stack: expect.stringContaining('capture.test.ts'),
        code: 'E_BOTH',
        status: 500,
        cause: { name: 'TypeError', message: 'why' },
        errors: [{ message: 'one' }, 'two'],
      },
    });
  });

  test('a chain of causes ends after five', () => {
    let error = new Error('0');
    for (let depth = 1; depth < 20; depth++) error = new Error(String(depth), { cause: error });
    expect(JSON.stringify(captured(error)).split('"cause"')).toHaveLength(7);
  });
});

describe('limits', () => {
  test('depth', () => {
    expect(captured({ a: { b: { c: 1 } }, l: { m: [1, 2] } }, { maxDepth: 2 })).toEqual({
      a: { b: '[Object: 1 keys]' },
      l: { m: '[Array: 2 items]' },
    });
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level++) deep = [deep];
    expect(JSON.stringify(captured(deep))).toBe(`${'['.repeat(12)}"[Array: 1 items]"${']'.repeat(12)}`);
  });

  test('keys', () => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]));
    const copy = captured(wide) as Record<string, unknown>;
    expect(Object.keys(copy)).toHaveLength(201);
    expect(copy['_cut']).toBe('99800 more of 100000 keys');
  });

  test('items', () => {
    const copy = captured(Array.from({ length: 1500 }, () => 'x')) as unknown[];
    expect(copy).toHaveLength(1001);
    expect(copy.at(-1)).toBe('…[500 more of 1500 items]');
    expect((captured(new Set(Array.from({ length: 1500 }, (_, index) => `${index}`))) as unknown[]).at(-1)).toContain(
      '500 more',
    );
  });

  test('of a long list of numbers sixteen are kept', () => {
    const numbers = Array.from({ length: 1536 }, (_, index) => index / 2);
    expect(captured(numbers)).toEqual([...numbers.slice(0, 16), '…[1520 more of 1536 items]']);
    expect(captured(new Float32Array(1536))).toHaveLength(17);
    expect(captured(numbers.slice(0, 1000))).toHaveLength(1000);
  });

  test('a text of 50 MB is cut, quickly, with its length beside it', () => {
    const copy = captured('x'.repeat(50_000_000)) as string;
    expect(copy).toBe(`${'x'.repeat(65_536)} …[cut: 50000000 characters]`);
  });

  test('a secret across the cut of a text is not half shown', () => {
    const copy = captured(`${'a '.repeat(32_760)}sk-${'a1'.repeat(30)}`) as string;
    expect(copy).not.toContain('sk-a1');
  });

  test('bytes of one field', () => {
    const copy = capture(
      Array.from({ length: 900 }, () => 'x'.repeat(10_000)),
      'inputs',
      MASK,
      DEFAULT_CAPTURE_LIMITS,
    );
    expect(JSON.stringify(copy.value).length).toBeLessThan(1_100_000);
    expect((copy.value as string[]).at(-1)).toMatch(/more of 900 items/);
  });

  test('values: a graph that is larger than every limit takes bounded time', () => {
    const wide = (depth: number): unknown => (depth === 0 ? 1 : Array.from({ length: 40 }, () => shared[depth - 1]));
    const shared: unknown[] = [1];
    for (let depth = 1; depth < 12; depth++) shared.push(wide(depth));
    expect(JSON.stringify(captured(shared.at(-1))).length).toBeLessThan(1_200_000);
  });
});

test('a mask function sees path and value, replaces, and hides when it throws', () => {
  const paths: string[] = [];
  const mask = compileMask((value, path) => {
    paths.push(path.join('.'));
    if (path.at(-1) === 'bad') throw new Error('rule');
    return path.at(-1) === 'name' ? 'N.' : value;
  });
  const value = { name: 'Ada', list: [{ bad: 1 }] };
  expect(capture(value, 'inputs', mask, DEFAULT_CAPTURE_LIMITS).value).toEqual({
    name: 'N.',
    list: [{ bad: '[masked]' }],
  });
  expect(paths).toEqual(['inputs', 'inputs.name', 'inputs.list', 'inputs.list.0', 'inputs.list.0.bad']);
});

test('streams, requests and iterators given as arguments are not consumed', async () => {
  const request = new Request('http://u.test', { method: 'POST', body: 'text' });
  const stream = Readable.from(['a', 'b']);
  const generator = (function* () {
    yield 1;
  })();
  captured({ request, stream, generator });
  expect(request.bodyUsed).toBe(false);
  expect(await stream.toArray()).toEqual(['a', 'b']);
  expect([...generator]).toEqual([1]);
});

test('capture never throws, changes nothing and gives JSON, whatever the value', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    withBoxedValues: true,
  });
  fc.assert(
    fc.property(anything, (value) => {
      const before = fc.stringify(value);
      const copy = captured(value);
      expect(fc.stringify(value)).toBe(before);
      expect(JSON.parse(JSON.stringify(copy))).toEqual(JSON.parse(JSON.stringify(copy ?? null)));
      expect(captured(copy)).toBeDefined();
    }),
    { numRuns: 500 },
  );
});

test('the value under a secret key never appears, wherever it is and whatever it is', () => {
  const secretKey = fc.constantFrom('password', 'apiKey', 'API_KEY', 'x-api-key', 'Authorization', 'client_secret');
  const secret = fc.string({ minLength: 8 }).map((text) => `«${text}»`);
  const place = fc.constantFrom(
    (key: string, value: unknown) => ({ [key]: value }),
    (key: string, value: unknown) => [[{ a: { [key]: [value] } }]],
    (key: string, value: unknown) => new Map([[key, value]]),
    (key: string, value: unknown) => [[key, value]],
    (key: string, value: unknown) => ({ headers: [{ name: key, value }] }),
    (key: string, value: unknown) => Object.assign(new Point(), { [key]: { nested: value } }),
  );
  fc.assert(
    fc.property(secretKey, secret, place, (key, value, at) => {
      expect(JSON.stringify(captured(at(key, value)))).not.toContain('«');
    }),
  );
});
