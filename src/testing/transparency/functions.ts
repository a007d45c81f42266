import type { TransparencyKit } from './kit.ts';

/** Properties by which a function tells of itself, and which libraries read. */
export function functionsTransparency({ check }: TransparencyKit): void {
  check('the name is that of the original', {
    run: ({ wrap }) => {
      const wrapped = wrap(function original() {}, 'op');
      wrapped();
      return [wrapped.name, Object.getOwnPropertyDescriptor(wrapped, 'name')?.enumerable];
    },
    sees: ['original', false],
    calls: [{ op: 'op' }],
  });

  check('the length is that of the original', {
    run: ({ wrap }) => {
      const wrapped = wrap((a: number, b: number, c = 3, ...rest: number[]) => a + b + c + rest.length, 'op');
      return [wrapped.length, wrapped(1, 2)];
    },
    sees: [2, 6],
    calls: [{ op: 'op', output: 6 }],
  });

  check('a library that counts the parameters of its callbacks sees the same count', {
    run: ({ wrap }) => {
      // As test runners and web frameworks do: two parameters take a callback, three with an error first handle it.
      const dispatch = (handler: (...args: never[]) => unknown): unknown =>
        handler.length >= 2
          ? new Promise((resolve) => Reflect.apply(handler, undefined, ['in', resolve]))
          : 'no callback';
      return dispatch(wrap((input: string, done: (value: string) => void) => done(`${input} done`), 'handler'));
    },
    sees: 'in done',
    calls: [{ op: 'handler' }],
  });

  check('own properties stay, as the same values', {
    run: ({ wrap }) => {
      const config = { retries: 3 };
      const wrapped = wrap(
        Object.assign((n: number) => n, { config, label: 'x' }),
        'op',
      );
      return [wrapped.config === config, wrapped.label, Object.keys(wrapped), wrapped(1)];
    },
    sees: [true, 'x', ['config', 'label'], 1],
    calls: [{ op: 'op', output: 1 }],
  });

  check('own properties keep their getters, and what is hidden or read-only stays so', {
    run: ({ wrap }) => {
      let reads = 0;
      const original = (n: number) => n;
      Object.defineProperty(original, 'lazy', { get: () => (reads += 1), enumerable: true });
      Object.defineProperty(original, 'fixed', { value: 1, writable: false });
      const wrapped = wrap(original, 'op');
      wrapped(1);
      const before = reads;
      const { writable, enumerable } = Object.getOwnPropertyDescriptor(wrapped, 'fixed') ?? {};
      return [before, Reflect.get(wrapped, 'lazy'), writable, enumerable];
    },
    sees: [0, 1, false, false],
    calls: [{ op: 'op', output: 1 }],
  });

  check('symbols as own properties stay', {
    run: ({ wrap }) => {
      const mark = Symbol('mark');
      const wrapped = wrap(
        Object.assign((n: number) => n, { [mark]: 'marked' }),
        'op',
      );
      wrapped(1);
      return [wrapped[mark], Object.getOwnPropertySymbols(wrapped).length];
    },
    sees: ['marked', 1],
    calls: [{ op: 'op' }],
  });

  check('toString answers the source of the original', {
    run: ({ wrap }) => {
      const wrapped = wrap(function original(a: number) {
        return a + 41;
      }, 'op');
      return [wrapped.toString().includes('41'), String(wrapped).startsWith('function original'), wrapped(1)];
    },
    sees: [true, true, 42],
    calls: [{ op: 'op', output: 42 }],
  });

  check('the prototype property is that of the original', {
    run: ({ wrap }) => {
      function Shape(): void {}
      const wrapped = wrap(Shape, 'op');
      wrapped();
      return [
        wrapped.prototype === Shape.prototype,
        Object.hasOwn(
          wrap(() => 1, 'arrow'),
          'prototype',
        ),
      ];
    },
    sees: [true, false],
    calls: [{ op: 'op' }],
  });

  check('async and generator functions stay of their kind', {
    run: async ({ wrap }) => {
      const kindOf = (value: unknown) => Object.prototype.toString.call(value);
      const work = wrap(async () => 1, 'work');
      await work();
      return [kindOf(work), kindOf(wrap(function* () {}, 'g')), kindOf(wrap(async function* () {}, 'ag'))];
    },
    sees: ['[object AsyncFunction]', '[object GeneratorFunction]', '[object AsyncGeneratorFunction]'],
    calls: [{ op: 'work', output: 1 }],
  });

  check('a frozen function can be wrapped', {
    run: ({ wrap }) => wrap(Object.freeze(Object.assign((n: number) => n + 1, { label: 'x' })), 'op')(1),
    sees: 2,
    calls: [{ op: 'op', inputs: [1], output: 2 }],
  });

  check('the original is not changed by being wrapped', {
    run: ({ wrap }) => {
      const original = (n: number) => n;
      const before = [Reflect.ownKeys(original), original.toString()].join();
      wrap(original, 'op')(1);
      return before === [Reflect.ownKeys(original), original.toString()].join();
    },
    sees: true,
    calls: [{ op: 'op' }],
  });

  check('a bound function and one that is built in can be wrapped', {
    run: ({ wrap }) => {
      const bound = wrap(
        function add(this: { by: number }, n: number) {
          return n + this.by;
        }.bind({ by: 2 }),
        'bound',
      );
      return [bound(3), bound.name, wrap(Math.max, 'max')(1, 9, 4)];
    },
    sees: [5, 'bound add', 9],
    calls: [
      { op: 'bound', output: 5 },
      { op: 'max', inputs: [1, 9, 4], output: 9 },
    ],
  });
}
