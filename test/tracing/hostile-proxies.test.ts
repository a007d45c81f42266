import { Readable } from 'node:stream';
import { types } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publish } from '../../src/objects/publish.ts';
import { startCall } from '../../src/tracing/wrap/trace.ts';
import { trace } from '../../src/tracing/wrap/trace.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording } from './recording.ts';

// Whatever a program throws, hands in or gets: it sees what it would see without us, and the call is told to its end.

let recording: Recording;

beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

/** The same each time, so that programs with and without us can be compared. */
const TRAP = new RangeError('trap');
const trap = (): never => {
  throw TRAP;
};

const TRAPS = [
  'get',
  'set',
  'has',
  'ownKeys',
  'getOwnPropertyDescriptor',
  'defineProperty',
  'deleteProperty',
  'getPrototypeOf',
  'setPrototypeOf',
  'isExtensible',
  'preventExtensions',
  'apply',
  'construct',
] as const satisfies readonly (keyof ProxyHandler<object>)[];

const TARGETS: Readonly<Record<string, () => object>> = {
  object: () => ({ a: 1 }),
  error: () => new Error('inner'),
  function: () => function named() {},
  array: () => [1, 2],
};

/** Each trap alone and all together, over each target; revoked ones; and those that something else leads to. */
function hostileValues(): [string, object][] {
  const all = Object.fromEntries(TRAPS.map((name) => [name, trap]));
  const proxies = Object.entries(TARGETS).flatMap(([target, make]): [string, object][] => [
    ...TRAPS.map((name): [string, object] => [`${name} of ${target}`, new Proxy(make(), { [name]: trap })]),
    [`all of ${target}`, new Proxy(make(), all)],
    [`proxy of all of ${target}`, new Proxy(new Proxy(make(), all), {})],
    [`revoked ${target}`, revoked(make())],
  ]);
  const worst = () => new Proxy({}, all);
  return [
    ...proxies,
    ['cause', new Error('outer', { cause: worst() })],
    ['chain of causes', new Error('1', { cause: new Error('2', { cause: worst() }) })],
    ['members', new AggregateError([worst(), revoked({})])],
    ['prototype', Object.setPrototypeOf(new Error('inner'), worst()) as object],
    ['list of members', Object.assign(new AggregateError([]), { errors: worst() })],
    ['message', Object.defineProperty(new Error('x'), 'message', { get: trap })],
    ['nested', { list: [{ worst: worst(), revoked: revoked(() => 1) }], map: new Map([['a', worst()]]) }],
  ];
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

interface Outcome {
  readonly kind: 'returned' | 'threw';
  readonly value: unknown;
}

function threw(value: unknown): Outcome {
  return { kind: 'threw', value };
}

function outcomeOf(run: () => unknown): Outcome {
  try {
    return { kind: 'returned', value: run() };
  } catch (error) {
    return threw(error);
  }
}

async function settled(run: () => unknown): Promise<Outcome> {
  try {
    return { kind: 'returned', value: await run() };
  } catch (error) {
    return threw(error);
  }
}

/** Proxies have no equal but themselves, and nothing may look into them. What a revoked one throws is made anew each time. */
function isSame(one: Outcome, other: Outcome): boolean {
  const isLanguage = types.isNativeError(one.value) && types.isNativeError(other.value);
  if (one.kind !== other.kind) return false;
  return Object.is(one.value, other.value) || (isLanguage && one.value.message.includes('revoked'));
}

function expectEnded(how: 'error' | 'success'): void {
  expect(recording.calls()).toHaveLength(1);
  const [call] = recording.calls();
  expect(call?.end, 'the call has ended').toBeDefined();
  expect(typeof call?.end?.exception).toBe(how === 'error' ? 'string' : 'undefined');
}

const OPTIONS = { name: 'f', op: false } as const;

describe.each(hostileValues())('%s', (_name, hostile) => {
  const fail = () => {
    throw hostile;
  };

  test('thrown by a function', () => {
    expect(isSame(outcomeOf(traced(OPTIONS)(fail)), threw(hostile))).toBe(true);
    expectEnded('error');
  });

  test('thrown in a block', () => {
    expect(
      isSame(
        outcomeOf(() => trace('f', fail)),
        threw(hostile),
      ),
    ).toBe(true);
    expectEnded('error');
  });

  test('thrown by an async function, and by one that returns a promise', async () => {
    const run = traced(OPTIONS)(async () => fail());
    expect(isSame(await settled(run), threw(hostile))).toBe(true);
    expectEnded('error');
    recording.records.length = 0;
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    expect(isSame(await settled(traced(OPTIONS)(() => Promise.reject(hostile))), threw(hostile))).toBe(true);
    expectEnded('error');
  });

  test('thrown in a generator', () => {
    const run = traced(OPTIONS)(function* numbers() {
      yield 1;
      fail();
    });
    expect(
      isSame(
        outcomeOf(() => [...run()]),
        threw(hostile),
      ),
    ).toBe(true);
    expectEnded('error');
    expect(recording.calls()[0]?.end?.output).toEqual([1]);
  });

  test('thrown in an async generator', async () => {
    const run = traced(OPTIONS)(async function* numbers() {
      yield 1;
      fail();
    });
    const read = async () => {
      for await (const _ of run());
    };
    expect(isSame(await settled(read), threw(hostile))).toBe(true);
    expectEnded('error');
    expect(recording.calls()[0]?.end?.output).toEqual([1]);
  });

  test('thrown into a generator', () => {
    const generator = traced(OPTIONS)(function* numbers() {
      yield 1;
    })();
    generator.next();
    expect(
      isSame(
        outcomeOf(() => generator.throw(hostile)),
        threw(hostile),
      ),
    ).toBe(true);
    expectEnded('error');
  });

  test('yielded and returned by a generator', () => {
    const run = traced(OPTIONS)(function* odd() {
      yield hostile;
      return hostile;
    });
    const generator = run();
    expect(Object.is(generator.next().value, hostile)).toBe(true);
    expect(Object.is(generator.next().value, hostile)).toBe(true);
    expectEnded('success');
  });

  test('as a result of a step that an iterator answers', async () => {
    const make = () => ({ [Symbol.asyncIterator]: () => ({ next: () => hostile as IteratorResult<unknown> }) });
    const read = async (iterable: AsyncIterable<unknown>) => iterable[Symbol.asyncIterator]().next();
    const bare = await settled(() => read(make() as unknown as AsyncIterable<unknown>));
    const run = traced(OPTIONS)(make);
    expect(isSame(await settled(() => read(run() as unknown as AsyncIterable<unknown>)), bare)).toBe(true);
  });

  test('handed in', () => {
    const run = traced(OPTIONS)(function take(value: unknown, ...rest: unknown[]) {
      return rest.length;
    });
    expect(run(hostile, hostile)).toBe(1);
    expectEnded('success');
  });

  test('returned', async () => {
    const run = traced(OPTIONS)(() => hostile);
    expect(Object.is(run(), hostile)).toBe(true);
  });

  test('returned by an async function', async () => {
    const answer = async () => hostile;
    const bare = await settled(answer);
    expect(isSame(await settled(traced(OPTIONS)(answer)), bare)).toBe(true);
  });

  test('as the error that ends a call by hand', () => {
    startCall('f').fail(hostile);
    expectEnded('error');
    expect(recording.call('f').end?.summary?.status_counts).toEqual({ success: 0, error: 1 });
  });

  test('thrown by an option', () => {
    const run = traced({ ...OPTIONS, output: fail, displayName: fail, inputs: fail, usage: fail })(() => 1);
    expect(run()).toBe(1);
    expectEnded('success');
    expect(recording.problems.length).toBeGreaterThan(0);
  });

  test('thrown where something was published', () => {
    publish({ a: 1 }, 'settings');
    expect(isSame(outcomeOf(traced(OPTIONS)(fail)), threw(hostile))).toBe(true);
    expectEnded('error');
  });

  test('as the error of a stream', async () => {
    const run = traced(OPTIONS)(() => new ReadableStream({ pull: (controller) => controller.error(hostile) }));
    const read = async () => {
      for await (const _ of run());
    };
    expect(isSame(await settled(read), threw(hostile))).toBe(true);
    expectEnded('error');
  });

  test('as the error of a stream of Node', async () => {
    const run = traced(OPTIONS)(() => new Readable({ read: () => undefined }));
    const stream = run();
    const failed = new Promise((resolve) => stream.once('error', (error: unknown) => resolve([error])));
    stream.emit('error', hostile);
    expect(Object.is((await (failed as Promise<unknown[]>))[0], hostile)).toBe(true);
    expectEnded('error');
  });
});
