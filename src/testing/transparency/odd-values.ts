/** An odd value, and what a record of it tells. */
interface OddValue {
  readonly make: () => unknown;
  /** Is in the JSON text of the recorded argument and of the recorded result. */
  readonly tells?: RegExp;
  /** Is not: what the walk was not to touch or the mask was to hide. */
  readonly hides?: RegExp;
}

class Visit {
  readonly city = 'Oslo';
  readonly password = 'kept-from-everybody';
  readonly #inner = 'private';

  inner(): string {
    return this.#inner;
  }
}

const circle = (): Record<string, unknown> => {
  const value: Record<string, unknown> = { kept: 'round' };
  value['self'] = value;
  value['list'] = [value];
  return value;
};

export const trap = (): never => {
  throw new Error('trap');
};

const nested = (depth: number): unknown => {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { below: value };
  return { kept: 'deep', value };
};

/** Forty branches, each of them the same again: far beyond what any record holds. */
const bush = (): unknown => {
  let value: unknown = ['leaf'];
  for (let level = 0; level < 11; level++) value = Array.from({ length: 40 }, () => value);
  return { kept: 'bush', value };
};

const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

export const VALUES: Readonly<Record<string, OddValue>> = {
  'a circular object': { make: circle, tells: /round/ },
  'a frozen circular object': { make: () => Object.freeze(circle()), tells: /round/ },
  'an object that is shared and not circular': {
    make: () => {
      const shared = { kept: 'twice' };
      return { one: shared, other: shared };
    },
    tells: /twice.*twice/,
  },
  'an object with a getter that throws': {
    make: () => Object.defineProperty({ kept: 'beside' }, 'bad', { get: trap, enumerable: true }),
    tells: /beside/,
  },
  'a Proxy that throws': {
    make: () =>
      new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap }),
  },
  'a Proxy': { make: () => new Proxy({ kept: 'behind' }, {}), tells: /behind/ },
  'a revoked Proxy': { make: revoked },
  'a BigInt': { make: () => 12345678901234567890n, tells: /12345678901234567890/ },
  'a symbol': { make: () => Symbol('sign') },
  'an object with symbol keys': { make: () => ({ [Symbol('sign')]: 1, kept: 'named' }), tells: /named/ },
  'a Map': { make: () => new Map([['kept', { in: 'map' }]]), tells: /kept.*map/ },
  'a Map with objects as keys': { make: () => new Map([[{ kept: 'key' }, 'value']]), tells: /key.*value/ },
  'a Set': { make: () => new Set(['first', { kept: 'second' }]), tells: /first.*second/ },
  'Maps and Sets within each other': {
    make: () => new Map([['kept', new Set([new Map([['low', 'deep']])])]]),
    tells: /deep/,
  },
  'a WeakMap': { make: () => new WeakMap([[{}, 'unseen']]) },
  'a WeakSet': { make: () => new WeakSet() },
  'a Date': { make: () => new Date(0), tells: /1970-01-01T00:00:00/ },
  'an invalid Date': { make: () => new Date(Number.NaN) },
  'a URL': { make: () => new URL('https://host.test/path?q=1'), tells: /host\.test\/path/ },
  'a RegExp': { make: () => /kept+/giu, tells: /kept\+/ },
  'an error with a cause': {
    make: () => new Error('above', { cause: new TypeError('below') }),
    tells: /above[^]*below/,
  },
  'an error that causes itself': {
    make: () => {
      const error = new Error('ring');
      return Object.assign(error, { cause: error });
    },
    tells: /ring/,
  },
  'an AggregateError': {
    make: () => new AggregateError([new Error('one of'), 'many'], 'all'),
    tells: /all[^]*one of[^]*many/,
  },
  'a Buffer': { make: () => Buffer.from('some bytes') },
  'a Float64Array': { make: () => Float64Array.of(1.5, 2.5), tells: /1\.5.*2\.5/ },
  'a BigInt64Array': { make: () => BigInt64Array.of(7n), tells: /7/ },
  'an ArrayBuffer': { make: () => new ArrayBuffer(8) },
  'a SharedArrayBuffer': { make: () => new SharedArrayBuffer(8) },
  'a DataView': { make: () => new DataView(new ArrayBuffer(8)) },
  'a Blob': { make: () => new Blob(['content']) },
  'a File': { make: () => new File(['content'], 'name.txt') },
  'a class instance with secrets': { make: () => new Visit(), tells: /Oslo/, hides: /kept-from-everybody/ },
  'an object whose toJSON throws': { make: () => ({ kept: 'x', toJSON: trap }) },
  'an object whose toJSON returns itself': {
    make: () => ({
      kept: 'mirror',
      toJSON(): unknown {
        return this;
      },
    }),
    tells: /mirror/,
  },
  'an object with toJSON': { make: () => ({ inner: 'x', toJSON: () => ({ kept: 'told' }) }), tells: /told/ },
  'an object ten thousand levels deep': { make: () => nested(10_000), tells: /deep/ },
  'a text of fifty megabytes': { make: () => `begin${'x'.repeat(50_000_000)}`, tells: /begin/ },
  'a sparse array': { make: () => Object.assign([], { 3: 'fourth', length: 5 }), tells: /fourth/ },
  'an array of four billion holes': {
    make: () => Object.assign([], { 0: 'first', length: 4_294_967_295 }),
    tells: /first/,
  },
  '-0': { make: () => -0, tells: /0/ },
  NaN: { make: () => Number.NaN },
  Infinity: { make: () => Number.POSITIVE_INFINITY },
  undefined: { make: () => undefined },
  null: { make: () => null, tells: /null/ },
  'a text with lone surrogates': { make: () => 'before\ud800after\udc00end', tells: /before.*after.*end/ },
  'a key with lone surrogates': { make: () => ({ 'before\ud800': 'kept' }), tells: /before.*kept/ },
  'an object with the key __proto__': {
    make: () => JSON.parse('{"__proto__":{"polluted":"yes"},"kept":"own"}') as unknown,
    tells: /own/,
  },
  'an object with the keys of a prototype': {
    make: () => ({ constructor: 'c', hasOwnProperty: 'h', toString: 't', kept: 'plain' }),
    tells: /plain/,
  },
  'an object without prototype': { make: () => Object.assign(Object.create(null), { kept: 'bare' }), tells: /bare/ },
  'an object of a hundred thousand keys': {
    make: () => Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, index])),
    tells: /key0/,
  },
  'an object graph larger than every limit': { make: bush, tells: /bush/ },
  'a function': { make: () => function kept() {} },
  'a boxed text': { make: () => Object('boxed') as unknown, tells: /boxed/ },
  'a module namespace': { make: () => process.getBuiltinModule('node:path') },
};
