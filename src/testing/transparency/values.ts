import { strict as assert } from 'node:assert';
import { Readable } from 'node:stream';
import type { TransparencyKit } from './kit.ts';
import { trap, VALUES } from './odd-values.ts';
import type { RecordedCall } from './subject.ts';

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
