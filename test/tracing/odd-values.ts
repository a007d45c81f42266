import * as fc from 'fast-check';

/** Makes a value. The value itself would be looked into by whoever generates and prints it. */
export interface OddValue {
  readonly make: () => unknown;
  readonly [fc.toStringMethod]: () => string;
}

class Point {
  x: unknown = 1;
  readonly #hidden = 2;

  hidden(): number {
    return this.#hidden;
  }
}

const fail = (): never => {
  throw new Error('trap');
};

/** What `JSON` knows nothing of, each made anew. */
const LEAVES: readonly (() => unknown)[] = [
  () => new Proxy({}, { get: fail, ownKeys: fail, getPrototypeOf: fail, has: fail, getOwnPropertyDescriptor: fail }),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  () => Object.defineProperty({ a: 1 }, 'b', { get: fail, enumerable: true }),
  () => ({ toJSON: fail }),
  () => ({
    toJSON(): unknown {
      return this;
    },
  }),
  () => ({ toJSON: () => ({ toJSON: () => 'deep' }) }),
  () => new Date(Number.NaN),
  () => new Error('message', { cause: new TypeError('cause') }),
  () => {
    const error = new Error('ring');
    return Object.assign(error, { cause: error });
  },
  () =>
    new AggregateError(
      Array.from({ length: 50 }, (_, index) => new Error(String(index))),
      'all',
    ),
  () => new Point(),
  () => Object.assign(Object.create(null) as object, { constructor: 1, kept: 2 }),
  () => JSON.parse('{"__proto__":{"a":1},"constructor":2}') as unknown,
  () => Object.assign([], { 5: 'x', length: 4_000_000_000 }),
  () => new Float64Array(5000),
  () => Buffer.alloc(3000, 'é'),
  () =>
    new Map<unknown, unknown>([
      [{}, 1],
      ['a', new Set([new Map()])],
    ]),
  () => '\u0001'.repeat(3000),
  () => '\ud800'.repeat(2000),
  () => '語'.repeat(2000),
  () => '"'.repeat(2000),
  () => 'x'.repeat(100_000),
  () => Array.from({ length: 3000 }, (_, index) => 1 / (index + 3)),
  () => Array.from({ length: 400 }, () => null),
  () => Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}\u0001`, index])),
  () => ({ ['long key '.repeat(5000)]: 1 }),
  () => Symbol('symbol'),
  () => ({ [Symbol('key')]: 1 }),
  () => fail,
  () => Point,
  () => Promise.resolve(1),
  () => new WeakMap(),
  () => (function* () {})(),
  () => new URL('https://user:password@host.test/?token=1'),
  () => -0,
  () => Number.NaN,
  () => 10n ** 400n,
];

function odd(make: () => unknown, text: string): OddValue {
  return { make, [fc.toStringMethod]: () => text };
}

/** One that is made of others. */
function made(form: string, parts: unknown, make: () => unknown): OddValue {
  return odd(make, `${form}(${fc.stringify(parts)})`);
}

const leaf: fc.Arbitrary<OddValue> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...LEAVES).map((make) => odd(make, String(make).replace(/\s+/g, ' '))) },
  {
    weight: 1,
    arbitrary: fc
      .anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, maxDepth: 1 })
      .map((value) => odd(() => value, fc.stringify(value))),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary', maxLength: 200 }).map((text) => odd(() => text, JSON.stringify(text))),
  },
);

const key = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('__proto__', 'constructor', 'password', 'value', 'name', '_cut'),
);

function entriesOf(pairs: readonly (readonly [string, OddValue])[]): [string, unknown][] {
  return pairs.map(([name, value]) => [name, value.make()]);
}

/** Trees of odd values, with circles in them. */
export const oddValue: fc.Arbitrary<OddValue> = fc.letrec<{ tree: OddValue; branch: OddValue }>((tie) => {
  const tree = tie('tree');
  const pairs = fc.array(fc.tuple(key, tree), { maxLength: 6 });
  return {
    tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('branch')),
    branch: fc.oneof(
      fc.array(tree, { maxLength: 8 }).map((list) => made('list', list, () => list.map((item) => item.make()))),
      pairs.map((list) => made('object', list, () => Object.fromEntries(entriesOf(list)))),
      pairs.map((list) => made('map', list, () => new Map(entriesOf(list)))),
      fc.array(tree, { maxLength: 5 }).map((list) => made('set', list, () => new Set(list.map((item) => item.make())))),
      tree.map((inner) => made('point', inner, () => Object.assign(new Point(), { x: inner.make() }))),
      tree.map((inner) => made('circle', inner, () => circleAround(inner.make()))),
    ),
  };
}).tree;

function circleAround(inner: unknown): object {
  const circle: Record<string, unknown> = { inner };
  circle['circle'] = [circle];
  return Object.freeze(circle);
}

/** Own names and descriptors of everything that can be reached, without running any code of it. */
export function stateOf(value: unknown, seen = new Map<object, number>()): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? 'function' : value;
  const known = seen.get(value);
  if (known !== undefined) return `#${known}`;
  seen.set(value, seen.size);
  try {
    const isTyped = ArrayBuffer.isView(value);
    const names = isTyped ? [] : Reflect.ownKeys(value).slice(0, 1000);
    const members = names.map((name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(value, name);
      return { ...descriptor, name, value: stateOf(descriptor?.value, seen) };
    });
    const entries = value instanceof Map || value instanceof Set ? [...value].map((item) => stateOf(item, seen)) : [];
    return {
      members,
      entries,
      isFrozen: Object.isFrozen(value),
      prototype: String(Object.getPrototypeOf(value) === Object.prototype),
    };
  } catch {
    return 'unreadable';
  }
}
