import { strict as assert } from 'node:assert';
import { compile, type Compiled } from './compile.ts';
import type { Expected } from './calls.ts';
import type { TransparencyKit } from './kit.ts';

/**
 * Source of a module that exports `bare`, `wrapped`, which is made of it, and `use`, which runs `wrapped`. It imports
 * nothing by itself.
 */
interface TypeCheck {
  readonly source: string;
  /** The answer of `use`. */
  readonly sees: unknown;
  readonly calls: Expected;
}

/** In every source. `true` cannot be assigned to `never`. */
const PRELUDE = `
  import { wrap } from './wrap';
  type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
`;

const CHECKS: Readonly<Record<string, TypeCheck>> = {
  'the type of a plain function survives': {
    source: `
      export const bare = (question: string, depth: number): { text: string } => ({ text: question + depth });
      export const wrapped = wrap(bare, { name: 'ask' });
      export const isSame: Same<typeof wrapped, typeof bare> = true;
      // @ts-expect-error the depth is a number
      const wrong = () => wrapped('why', 'deep');
      export const use = () => wrapped('why', 3).text.toUpperCase();
    `,
    sees: 'WHY3',
    calls: [{ op: 'ask', inputs: ['why', 3] }],
  },
  'generics survive': {
    source: `
      export const bare = <Item extends { id: string }>(items: readonly Item[], id: Item['id']): Item | undefined =>
        items.find((item) => item.id === id);
      export const wrapped = wrap(bare, { name: 'find' });
      export const isSame: Same<typeof wrapped, typeof bare> = true;
      const found = wrapped([{ id: 'a', size: 1 }], 'a');
      export const isInferred: Same<typeof found, { id: string; size: number } | undefined> = true;
      export const use = () => found?.size;
    `,
    sees: 1,
    calls: [{ op: 'find', output: { id: 'a', size: 1 } }],
  },
  'overloads survive': {
    source: `
      function parse(value: string): string;
      function parse(value: number): number;
      function parse(value: string | number): string | number { return value; }
      export const bare = parse;
      export const wrapped = wrap(parse, { name: 'parse' });
      export const isSame: Same<typeof wrapped, typeof bare> = true;
      const text = wrapped('a');
      const count = wrapped(1);
      export const isText: Same<typeof text, string> = true;
      export const isCount: Same<typeof count, number> = true;
      // @ts-expect-error there is no overload for it
      const wrong = () => wrapped(true);
      export const use = () => [text, count];
    `,
    sees: ['a', 1],
    calls: [
      { op: 'parse', inputs: ['a'] },
      { op: 'parse', inputs: [1] },
    ],
  },
  'a this parameter survives': {
    source: `
      export const bare = function greet(this: { name: string }, word: string): string { return word + this.name; };
      export const wrapped = wrap(bare, { name: 'greet' });
      export const isSame: Same<ThisParameterType<typeof wrapped>, { name: string }> = true;
      // @ts-expect-error there is no receiver
      const wrong = () => wrapped('Hi');
      export const use = () => wrapped.call({ name: 'Ada' }, 'Hi ');
    `,
    sees: 'Hi Ada',
    calls: [{ op: 'greet', inputs: ['Hi '], output: 'Hi Ada' }],
  },
  'optional parameters survive': {
    source: `
      export const bare = (text: string, times?: number, separator: string = ''): string =>
        Array(times ?? 1).fill(text).join(separator);
      export const wrapped = wrap(bare, { name: 'repeat' });
      export const isSame: Same<Parameters<typeof wrapped>, Parameters<typeof bare>> = true;
      // @ts-expect-error the text is not optional
      const wrong = () => wrapped();
      export const use = () => [wrapped('a'), wrapped('b', 2), wrapped('c', 2, '-')];
    `,
    sees: ['a', 'bb', 'c-c'],
    calls: [{ op: 'repeat' }, { op: 'repeat' }, { op: 'repeat', inputs: ['c', 2, '-'] }],
  },
  'rest parameters survive': {
    source: `
      const count = (first: string, ...rest: [number, ...boolean[]]): number => first.length + rest.length;
      // Declarations of both are inferred: compilers before 7.0 copy what is written, and spell what they infer out.
      export const bare = (<F,>(fn: F): F => fn)(count);
      export const wrapped = wrap(count, { name: 'count' });
      export const isSame: Same<Parameters<typeof wrapped>, [first: string, number, ...boolean[]]> = true;
      // @ts-expect-error a number comes first
      const wrong = () => wrapped('a', true);
      export const use = () => wrapped('ab', 1, true, false);
    `,
    sees: 5,
    calls: [{ op: 'count', output: 5 }],
  },
  'readonly tuples survive': {
    source: `
      export const bare = (pair: readonly [name: string, size: number]): readonly [number, string] => [pair[1], pair[0]];
      export const wrapped = wrap(bare, { name: 'swap' });
      export const isSame: Same<ReturnType<typeof wrapped>, readonly [number, string]> = true;
      // @ts-expect-error it cannot be changed
      const wrong = () => (wrapped(['a', 1])[0] = 2);
      export const use = () => wrapped(['a', 1] as const);
    `,
    sees: [1, 'a'],
    calls: [{ op: 'swap', inputs: [['a', 1]], output: [1, 'a'] }],
  },
  'the return type of an async function survives': {
    source: `
      export const bare = async (n: number): Promise<{ n: number }> => ({ n });
      export const wrapped = wrap(bare, { name: 'load' });
      export const isSame: Same<ReturnType<typeof wrapped>, Promise<{ n: number }>> = true;
      export const use = async () => (await wrapped(2)).n;
    `,
    sees: 2,
    calls: [{ op: 'load', output: { n: 2 } }],
  },
  'the return type of a generator survives': {
    source: `
      export const bare = function* (to: number): Generator<number, string, boolean> {
        const goesOn: boolean = yield to;
        return String(goesOn);
      };
      export const wrapped = wrap(bare, { name: 'count' });
      export const isSame: Same<ReturnType<typeof wrapped>, Generator<number, string, boolean>> = true;
      export const use = () => { const steps = wrapped(1); return [steps.next(true).value, steps.next(true).value]; };
    `,
    sees: [1, 'true'],
    calls: [{ op: 'count' }],
  },
  'the return type of an async generator survives': {
    source: `
      export const bare = async function* (to: number): AsyncGenerator<number, string, undefined> {
        yield to;
        return 'done';
      };
      export const wrapped = wrap(bare, { name: 'stream' });
      export const isSame: Same<ReturnType<typeof wrapped>, AsyncGenerator<number, string, undefined>> = true;
      export const use = async () => {
        const values: number[] = [];
        for await (const value of wrapped(3)) values.push(value);
        return values;
      };
    `,
    sees: [3],
    calls: [{ op: 'stream' }],
  },
  'predicates survive': {
    source: `
      export const bare = (value: unknown): value is string => typeof value === 'string';
      export const wrapped = wrap(bare, { name: 'isText' });
      export const isSame: Same<typeof wrapped, typeof bare> = true;
      const value = (['text', 5] as unknown[])[0];
      export const use = () => (wrapped(value) ? value.toUpperCase() : 'no text');
    `,
    sees: 'TEXT',
    calls: [{ op: 'isText', inputs: ['text'], output: true }],
  },
  'assertion functions survive': {
    source: `
      export const bare: (value: unknown) => asserts value is string = (value) => {
        if (typeof value !== 'string') throw new TypeError('no text');
      };
      export const wrapped: (value: unknown) => asserts value is string = wrap(bare, { name: 'assertText' });
      const value = (['text', 5] as unknown[])[0];
      export const use = () => { wrapped(value); return value.toUpperCase(); };
    `,
    sees: 'TEXT',
    calls: [{ op: 'assertText', inputs: ['text'] }],
  },
  'own properties survive': {
    source: `
      export const bare = Object.assign((n: number) => n, { label: 'x', config: { retries: 3 } });
      export const wrapped = wrap(bare, { name: 'labelled' });
      export const isSame: Same<typeof wrapped, typeof bare> = true;
      export const use = () => [wrapped(1), wrapped.config.retries];
    `,
    sees: [1, 3],
    calls: [{ op: 'labelled', output: 1 }],
  },
  'classes survive, with statics and generics': {
    source: `
      class Box<Value> {
        static made = 0;
        constructor(readonly value: Value) { Box.made += 1; }
      }
      export const bare = Box;
      export const wrapped = wrap(Box, { name: 'Box' });
      export const isSame: Same<typeof wrapped, typeof bare> = true;
      const box = new wrapped('a');
      export const isInferred: Same<typeof box, Box<string>> = true;
      export const use = () => [box.value, wrapped.made];
    `,
    sees: ['a', 1],
    calls: [{ op: 'Box', inputs: ['a'] }],
  },
  'the wrapped type can be assigned to that of the original': {
    source: `
      export const bare = async (text: string, count = 1): Promise<string> => text.repeat(count);
      export const wrapped = wrap(bare, { name: 'repeat' });
      const there: typeof bare = wrapped;
      const anywhere: (text: string) => Promise<string> = wrapped;
      export const use = async () => [await there('a', 2), await anywhere('b')];
    `,
    sees: ['aa', 'b'],
    calls: [{ op: 'repeat' }, { op: 'repeat' }],
  },
  'the type of the original can be assigned to the wrapped one': {
    source: `
      export const bare = async (text: string, count = 1): Promise<string> => text.repeat(count);
      export const wrapped = wrap(bare, { name: 'repeat' });
      let place = wrapped;
      place = bare;
      place = wrapped;
      export const use = async () => await place('a', 2);
    `,
    sees: 'aa',
    calls: [{ op: 'repeat', output: 'aa' }],
  },
  'declarations of what is wrapped in place are those of the original': {
    source: `
      export const bare = async <Item,>(items: readonly Item[], { limit = 10 }: { limit?: number } = {}) => {
        return { items: items.slice(0, limit), isCut: items.length > limit };
      };
      export const wrapped = wrap(
        async <Item,>(items: readonly Item[], { limit = 10 }: { limit?: number } = {}) => {
          return { items: items.slice(0, limit), isCut: items.length > limit };
        },
        { name: 'page' },
      );
      export const use = async () => (await wrapped(['a', 'b'], { limit: 1 })).isCut;
    `,
    sees: true,
    calls: [{ op: 'page', output: { items: ['a'], isCut: true } }],
  },
  'what a wrapped function infers of its context is inferred when it is wrapped in place': {
    source: `
      interface Handlers { onAnswer: (answer: { text: string }) => number }
      export const bare: Handlers['onAnswer'] = (answer) => answer.text.length;
      export const wrapped: Handlers['onAnswer'] = wrap((answer: { text: string }) => answer.text.length, { name: 'on' });
      export const use = () => wrapped({ text: 'four' });
    `,
    sees: 4,
    calls: [{ op: 'on', output: 4 }],
  },
};

/** Types, checked with `--strict` and the declarations that the compiler emits. */
export function typesTransparency({ check }: TransparencyKit): void {
  const names = new Map(Object.keys(CHECKS).map((name, index) => [name, `type-check-${index}`]));
  for (const [name, { sees, calls }] of Object.entries(CHECKS)) {
    check(name, {
      run: async ({ wrap, subject }) => {
        const { type = "typeof import('spoor').traced" } = subject;
        const file = names.get(name) ?? '';
        const { diagnostics, declarations, load } = await compiled(type, names);
        assert.deepEqual(diagnostics(file), [], 'The compiler refuses it');
        const { bare, wrapped } = typesIn(declarations(file));
        if (wrapped !== 'typeof bare') assert.equal(wrapped, bare, 'The declarations differ');
        const { use } = load(file, wrap);
        assert(typeof use === 'function');
        return await use();
      },
      sees,
      calls,
    });
  }
}

const compilations = new Map<string, Promise<Compiled>>();

/** Once per type: starting the compiler is most of the time. */
async function compiled(type: string, names: ReadonlyMap<string, string>): Promise<Compiled> {
  const known = compilations.get(type);
  if (known) return await known;
  const sources = Object.fromEntries(
    Object.entries(CHECKS).map(([name, { source }]) => [names.get(name) ?? '', PRELUDE + source]),
  );
  const compiling = compile(type, sources);
  compilations.set(type, compiling);
  return await compiling;
}

/** How the compiler writes the types of `bare` and `wrapped`. */
function typesIn(declarations: string): { readonly bare: string | undefined; readonly wrapped: string | undefined } {
  const typeOf = (name: string) =>
    new RegExp(`export declare const ${name}: ([^]*?);\\n(?=export|declare|import|class|type|interface|function|$)`)
      .exec(declarations)?.[1]
      ?.trim();
  return { bare: typeOf('bare'), wrapped: typeOf('wrapped') };
}
