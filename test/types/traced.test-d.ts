import { expectTypeOf, test } from 'vitest';
import { traced } from '../../src/tracing/wrap/traced.ts';

test('plain, optional and rest parameters survive', () => {
  const plain = (a: string, b?: number, ...rest: boolean[]): string => `${a}${b}${rest.length}`;
  expectTypeOf(traced(plain)).toEqualTypeOf<typeof plain>();
  expectTypeOf(traced({ kind: 'tool' })(plain)).toEqualTypeOf<typeof plain>();
});

test('generics survive', () => {
  const wrapped = traced(<Item>(items: readonly Item[]): Item | undefined => items[0]);
  expectTypeOf(wrapped([1, 2])).toEqualTypeOf<number | undefined>();
  expectTypeOf(wrapped(['a'])).toEqualTypeOf<string | undefined>();
});

test('overloads survive', () => {
  function parse(value: string): string;
  function parse(value: number): number;
  function parse(value: string | number): string | number {
    return value;
  }
  const wrapped = traced(parse);
  expectTypeOf(wrapped('a')).toEqualTypeOf<string>();
  expectTypeOf(wrapped(1)).toEqualTypeOf<number>();
});

test('a this parameter survives', () => {
  function greet(this: { name: string }, word: string): string {
    return word + this.name;
  }
  const wrapped = traced(greet);
  expectTypeOf<ThisParameterType<typeof wrapped>>().toEqualTypeOf<{ name: string }>();
  // @ts-expect-error there is no receiver
  wrapped('x');
});

test('readonly tuples survive', () => {
  const pair = (value: readonly [string, number]): readonly [number, string] => [value[1], value[0]];
  expectTypeOf(traced(pair)(['a', 1])).toEqualTypeOf<readonly [number, string]>();
});

test('promises, generators and async generators survive', () => {
  expectTypeOf(traced(async (n: number) => n)(1)).toEqualTypeOf<Promise<number>>();
  const generate = traced(function* (): Generator<number, string, boolean> {
    const answer: boolean = yield 1;
    return String(answer);
  });
  expectTypeOf(generate()).toEqualTypeOf<Generator<number, string, boolean>>();
  const stream = traced(async function* () {
    yield 1;
  });
  expectTypeOf(stream()).toEqualTypeOf<AsyncGenerator<number, void, unknown>>();
});

test('predicates and assertions survive', () => {
  const isText = traced((value: unknown): value is string => typeof value === 'string');
  const value: unknown = 'a';
  if (isText(value)) expectTypeOf(value).toEqualTypeOf<string>();
  const assertText: (candidate: unknown) => asserts candidate is string = traced(
    (candidate: unknown): asserts candidate is string => {
      if (typeof candidate !== 'string') throw new TypeError('no text');
    },
  );
  const other: unknown = 'a';
  assertText(other);
  expectTypeOf(other).toEqualTypeOf<string>();
});

test('own properties and classes survive', () => {
  const labelled = Object.assign((n: number) => n, { label: 'x' });
  expectTypeOf(traced(labelled).label).toEqualTypeOf<string>();
  class Shape {
    static made = 0;
    readonly sides: number;
    constructor(sides: number) {
      this.sides = sides;
    }
  }
  expectTypeOf(traced(Shape)).toEqualTypeOf<typeof Shape>();
  expectTypeOf(new (traced(Shape))(3)).toEqualTypeOf<Shape>();
});

test('the wrapped type can be assigned to the original and back', () => {
  const original = async (text: string, count = 1) => text.repeat(count);
  let wrapped = traced(original);
  const back: typeof original = wrapped;
  wrapped = back;
  expectTypeOf(wrapped).toEqualTypeOf(original);
});

test('options know the function', () => {
  expectTypeOf(traced).toBeFunction();
  traced((question: string, depth: number) => ({ text: question, depth }), {
    displayName: (question, depth) => question.slice(depth),
    inputs: (question) => ({ question: question.trim() }),
    output: ({ text }) => text.length,
    usage: ({ depth }) => ({ model: 'm', input: depth }),
  });
  traced(async (question: string) => question, { output: (text) => text.toUpperCase() });
  traced(
    function stream(prompt: string) {
      return Promise.resolve(new ReadableStream<string>({ start: (controller) => controller.enqueue(prompt) }));
    },
    {
      aggregate: (chunks) => chunks.join('').length,
      output: (count: number) => ({ count }),
      usage: (count: number) => ({ model: 'm', output: count }),
    },
  );
  // Whatever the order in which a compiler looks at a function and its options.
  const stream = traced(
    async function* (prompt: string) {
      yield { text: prompt, tokens: 1 };
    },
    {
      aggregate: (chunks) => chunks.reduce((sum, { tokens }) => sum + tokens, 0),
      usage: (tokens: number) => ({ model: 'm', output: tokens }),
    },
  );
  expectTypeOf(stream).toEqualTypeOf<
    (prompt: string) => AsyncGenerator<{ text: string; tokens: number }, void, unknown>
  >();
  const counted = traced(
    function (this: { step: number }, by: number) {
      return this.step * by;
    },
    { output: (product: number) => ({ product }), inputs: (by: number) => ({ by }) },
  );
  expectTypeOf<ThisParameterType<typeof counted>>().toEqualTypeOf<{ step: number }>();
  traced(() => new Map([['a', 1]]).keys(), { aggregate: (names: string[]) => names.join() });
  // @ts-expect-error the output is a text
  traced(async (question: string) => question, { output: (text: number) => text });
  // @ts-expect-error there is no such kind
  traced(() => 1, { kind: 'robot' });
  // @ts-expect-error a value is no function
  traced(5);
});

test('capture keeps the result as it is', () => {
  const { result, call } = traced.capture(async () => 5);
  expectTypeOf(result).toEqualTypeOf<Promise<number>>();
  expectTypeOf(call.isRecording).toEqualTypeOf<boolean>();
});

test('decorated methods keep their types', () => {
  class Agent {
    @traced
    async answer(question: string): Promise<string> {
      return question;
    }

    @traced({ kind: 'tool', name: 'find' })
    static find<Item>(items: Item[]): Item | undefined {
      return items[0];
    }
  }
  expectTypeOf(new Agent().answer('x')).toEqualTypeOf<Promise<string>>();
  expectTypeOf(Agent.find([1])).toEqualTypeOf<number | undefined>();
});
