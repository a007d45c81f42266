import { expectTypeOf, test } from 'vitest';
import { instrumentFunction, instrumentMethod } from 'spoor/instrument';

class Oracle {
  readonly host = '';
  async ask(question: string, limit?: number): Promise<{ readonly text: string }> {
    return { text: `${question}${limit}` };
  }
  async *stream(): AsyncGenerator<number> {}
}

const BASE = { library: 'oracle', name: 'oracle.ask' } as const;

test('options of a method know its parameters, its receiver, its output and its chunks', () => {
  instrumentMethod(new Oracle(), 'ask', {
    ...BASE,
    inputs(question, limit) {
      expectTypeOf(question).toEqualTypeOf<string>();
      expectTypeOf(limit).toEqualTypeOf<number | undefined>();
      expectTypeOf(this).toEqualTypeOf<Oracle>();
      return { question };
    },
    usage(output) {
      expectTypeOf(output).toEqualTypeOf<{ readonly text: string }>();
      return undefined;
    },
    failure: ({ text }) => (text === '' ? new Error('Empty') : undefined),
  });
  const isCovered = instrumentMethod(Oracle.prototype, 'stream', {
    ...BASE,
    inputs: false,
    aggregate(chunks) {
      expectTypeOf(chunks).toEqualTypeOf<number[]>();
      return chunks.length;
    },
    usage: (output: number) => ({ model: 'm', output }),
  });
  expectTypeOf(isCovered).toEqualTypeOf<boolean>();
});

test('of a library without types nothing is known', () => {
  instrumentMethod({}, 'ask', {
    ...BASE,
    inputs(...args) {
      expectTypeOf(args).toEqualTypeOf<unknown[]>();
      return { args };
    },
    output: (output) => {
      expectTypeOf(output).toEqualTypeOf<unknown>();
      return output;
    },
  });
});

test('what has to be said is asked for', () => {
  // @ts-expect-error the inputs are missing
  expectTypeOf(instrumentMethod(new Oracle(), 'ask', BASE)).toEqualTypeOf<boolean>();
  // @ts-expect-error there is no such kind
  expectTypeOf(instrumentMethod(new Oracle(), 'ask', { ...BASE, inputs: false, kind: 'mdl' })).toBeBoolean();
});

test('the type of a function survives', () => {
  const ask = <Item>(item: Item, ...rest: number[]): Item[] => [item, ...rest.map(() => item)];
  const recorded = instrumentFunction(ask, { ...BASE, inputs: (item) => ({ item }) });
  expectTypeOf(recorded('x', 1)).toEqualTypeOf<string[]>();
  expectTypeOf(recorded(true)).toEqualTypeOf<boolean[]>();
});
