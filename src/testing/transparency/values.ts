import { strict as assert } from 'node:assert';
import { Readable } from 'node:stream';
import type { TransparencyKit } from './kit.ts';
import type { RecordedCall } from './subject.ts';

/** An odd value, and what a record of it tells. */
interface OddValue {
  readonly make: () => unknown;
  /** Is in the JSON text of the recorded argument and of the recorded result. */
  readonly tells?: RegExp;
  /** Is not: what the walk was not to touch or the mask was to hide. */
  readonly hides?: RegExp;
}

/** No field of a record is larger, however large the value is. A limit of a megabyte, and marks of what was cut. */
const MAX_RECORDED = 1_200_000;

/** Odd values go in and out untouched, and are recorded as far as JSON can. */
export function valuesTransparency({ check }: TransparencyKit): void {
  for (const [name, { make, tells, hides }] of Object.entries(VALUES)) {
    check(`${name} goes in and out as it is, and is recorded both ways`, {
      run: async ({ wrap }) => {
        const value = make();
        const before = stateOf(value);
        const result = wrap((given: unknown) => [given], 'into')(value);
        const same = wrap(() => ({ result: value }), 'out')();
        assert.deepEqual(stateOf(value), before, 'The value was changed');
        return [Object.is(result[0], value), Object.is(same.result, value)];
      },
      sees: [true, true],
      calls: (calls) => {
        const [into, out] = calls;
        assert.deepEqual([calls.length, into?.error, out?.error], [2, undefined, undefined]);
        for (const field of [into?.inputs, into?.output, out?.output]) expectTold(field, tells, hides);
      },
    });
  }
  notConsumed(check);
  takenAtTheCall(check);
  optionsDecide(check);
}

function expectTold(field: unknown, tells: RegExp | undefined, hides: RegExp | undefined): void {
  const text = JSON.stringify(field) ?? '';
  assert(text.length < MAX_RECORDED, `${text.length} bytes were recorded of one field`);
  if (tells !== undefined) assert.match(text.slice(0, 10_000), tells);
  if (hides !== undefined) assert.doesNotMatch(text, hides);
}

/** Names and kinds of own members, without reading any getter; of proxies, functions and texts nothing. */
function stateOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value;
  try {
    const names = Reflect.ownKeys(value);
    if (names.length > 1000) return names.length;
    return names.map((name) => {
      const { get, value: held } = Reflect.getOwnPropertyDescriptor(value, name) ?? {};
      return [String(name), get === undefined ? typeof held : 'getter', Object.isFrozen(value)];
    });
  } catch {
    return 'unreadable';
  }
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

const trap = (): never => {
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

const VALUES: Readonly<Record<string, OddValue>> = {
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

/** Values that are used up by whoever reads them: as arguments they are somebody else's to read. */
function notConsumed(check: TransparencyKit['check']): void {
  for (const [name, { make, read, left }] of Object.entries(USED_UP)) {
    check(`${name} as an argument is not consumed`, {
      run: async ({ wrap }) => {
        const value = make();
        const seen = wrap((given: unknown, also: string) => given === value && also === 'beside', 'into')(
          value,
          'beside',
        );
        // Each entry reads what it makes.
        return [seen, await read(value as never)];
      },
      sees: [true, left],
      calls: (calls) => {
        assert.equal(calls.length, 1);
        assert.equal(calls[0]?.output, true);
        assert.match(JSON.stringify(calls[0]?.inputs), /beside/);
      },
    });
  }
}

interface UsedUp {
  readonly make: () => unknown;
  readonly read: (value: never) => unknown;
  readonly left: unknown;
}

const USED_UP: Readonly<Record<string, UsedUp>> = {
  'a Request with a body': {
    make: () => new Request('http://host.test/', { method: 'POST', body: 'whole' }),
    read: async (value: Request) => [value.bodyUsed, await value.text()],
    left: [false, 'whole'],
  },
  'a Response': {
    make: () => new Response('whole'),
    read: async (value: Response) => [value.bodyUsed, await value.text()],
    left: [false, 'whole'],
  },
  'a web stream': {
    make: () => new Blob(['whole']).stream(),
    read: async (value: ReadableStream<Uint8Array>) => [value.locked, await new Response(value).text()],
    left: [false, 'whole'],
  },
  'a Node stream': {
    make: () => Readable.from(['who', 'le']),
    read: async (value: Readable) => [value.readableFlowing, await value.toArray()],
    left: [null, ['who', 'le']],
  },
  'a generator': {
    make: () =>
      (function* () {
        yield 'whole';
      })(),
    read: (value: Iterable<string>) => [...value],
    left: ['whole'],
  },
  'an async generator': {
    make: () =>
      (async function* () {
        yield 'whole';
      })(),
    read: async (value: AsyncIterator<string>) => await value.next(),
    left: { value: 'whole', done: false },
  },
  'a lazy thenable': {
    make: () => {
      let starts = 0;
      // oxlint-disable-next-line unicorn/no-thenable -- that nobody calls it is what this looks at.
      return { then: (done: (count: number) => void) => done((starts += 1)), starts: () => starts };
    },
    read: (value: { starts: () => number }) => value.starts(),
    left: 0,
  },
  'a Map iterator': {
    make: () => new Map([['whole', 1]]).keys(),
    read: (value: Iterable<string>) => [...value],
    left: ['whole'],
  },
};

function takenAtTheCall(check: TransparencyKit['check']): void {
  check('what is changed after the call was made is recorded as it was', {
    run: async ({ wrap }) => {
      const list = [1];
      const given = { list, text: 'before', map: new Map([['key', 'before']]) };
      const result = wrap((value: typeof given) => value, 'into')(given);
      list.push(2);
      given.text = 'after';
      given.map.set('key', 'after');
      return result === given && list.length;
    },
    sees: 2,
    calls: ([call]) => {
      for (const field of [call?.inputs, call?.output]) {
        assert.match(JSON.stringify(field), /"list":\[1\].*before.*before/);
        assert.doesNotMatch(JSON.stringify(field), /after/);
      }
    },
  });

  check('what the function does to its argument is not taken for its input', {
    run: ({ wrap }) => wrap((list: string[]) => list.push('added'), 'into')(['given']),
    sees: 2,
    calls: ([call]) => {
      assert.match(JSON.stringify(call?.inputs), /given/);
      assert.doesNotMatch(JSON.stringify(call?.inputs), /added/);
    },
  });
}

function optionsDecide(check: TransparencyKit['check']): void {
  check('inputs: false and output: false record neither', {
    run: ({ wrap }) => wrap((text: string) => `got ${text}`, { name: 'work', inputs: false, output: false })('unseen'),
    sees: 'got unseen',
    calls: expectFields((call) => assert.doesNotMatch(JSON.stringify([call.inputs, call.output]), /unseen/)),
  });

  check('functions as inputs and output record what they return, and change nothing', {
    run: ({ wrap }) => {
      const inputs = (text: string) => ({ length: text.length });
      const output = (result: string) => result.toUpperCase();
      return wrap((text: string) => `got ${text}`, { name: 'work', inputs, output })('unseen');
    },
    sees: 'got unseen',
    calls: expectFields((call) => {
      assert.deepEqual([call.inputs, call.output], [{ length: 6 }, 'GOT UNSEEN']);
    }),
  });

  check('functions as inputs and output that throw change nothing, and nothing is shown instead', {
    run: ({ wrap }) => wrap((text: string) => `got ${text}`, { name: 'work', inputs: trap, output: trap })('unseen'),
    sees: 'got unseen',
    calls: expectFields((call) => assert.doesNotMatch(JSON.stringify([call.inputs, call.output]), /unseen/)),
  });
}

function expectFields(look: (call: RecordedCall) => void): (calls: readonly RecordedCall[]) => void {
  return (calls) => {
    assert.equal(calls.length, 1);
    for (const call of calls) look(call);
  };
}
