import type { TransparencyKit } from './kit.ts';
import { collectGarbage, thrownBy } from './watching.ts';

/** Generators: nothing runs before it is asked for, everything that is said to them arrives. */
export function generatorsTransparency({ check }: TransparencyKit): void {
  check('a generator is lazy: nothing runs before the first next', {
    run: ({ wrap }) => {
      let begun = 0;
      const generator = wrap(function* () {
        begun += 1;
        yield 1;
      }, 'count')();
      const before = begun;
      return [before, [...generator], begun];
    },
    sees: [0, [1], 1],
    calls: [{ op: 'count', output: [1] }],
  });

  check('a generator is an instance of its function, with nothing of ours to be seen', {
    run: ({ wrap }) => {
      const count = wrap(function* () {
        yield 1;
      }, 'count');
      const generator = count();
      const self = generator[Symbol.iterator]();
      return [generator instanceof count, Object.keys(generator), self === generator, [...generator]];
    },
    sees: [true, [], true, [1]],
    calls: [{ op: 'count' }],
  });

  check('a generator runs one step per next, never ahead', {
    run: ({ wrap }) => {
      const steps: number[] = [];
      const generator = wrap(function* () {
        for (let step = 1; step < 9; step++) {
          steps.push(step);
          yield step;
        }
      }, 'count')();
      generator.next();
      generator.next();
      const seen = [...steps];
      generator.return(undefined);
      return seen;
    },
    sees: [1, 2],
    calls: [{ op: 'count', output: [1, 2] }],
  });

  check('a generator that never ends can be read in part', {
    run: ({ wrap }) => {
      const numbers = wrap(function* () {
        for (let value = 0; ; value++) yield value;
      }, 'numbers');
      const read: number[] = [];
      for (const value of numbers()) {
        read.push(value);
        if (value === 3) break;
      }
      return read;
    },
    sees: [0, 1, 2, 3],
    calls: [{ op: 'numbers', output: [0, 1, 2, 3] }],
  });

  check('what next is given arrives in a generator', {
    run: ({ wrap }) => {
      const seen: string[] = [];
      const talk = wrap(function* (): Generator<string, string, string> {
        seen.push(yield 'a');
        seen.push(yield 'b');
        return 'end';
      }, 'talk')();
      return [talk.next('lost'), talk.next('one'), talk.next('two'), talk.next('late'), seen];
    },
    sees: [
      { value: 'a', done: false },
      { value: 'b', done: false },
      { value: 'end', done: true },
      { value: undefined, done: true },
      ['one', 'two'],
    ],
    calls: [{ op: 'talk' }],
  });

  check('return of a generator runs its finally and answers its value', {
    run: ({ wrap }) => {
      const seen: string[] = [];
      const generator = wrap(function* () {
        try {
          yield 1;
        } finally {
          seen.push('finally');
        }
      }, 'count')();
      generator.next();
      return [generator.return('early' as never), generator.next(), seen];
    },
    sees: [{ value: 'early', done: true }, { value: undefined, done: true }, ['finally']],
    calls: [{ op: 'count', output: [1] }],
  });

  check('throw of a generator arrives as the very same error, which it may catch', {
    run: ({ wrap }) => {
      const error = new Error('thrown in');
      const generator = wrap(function* () {
        try {
          yield 'first';
        } catch (caught) {
          yield caught === error;
        }
        yield 'last';
      }, 'catcher')();
      return [generator.next().value, generator.throw(error).value, generator.next().value, generator.next().done];
    },
    sees: ['first', true, 'last', true],
    calls: [{ op: 'catcher', output: ['first', true, 'last'] }],
  });

  check('an error that a generator throws is the very same object', {
    run: ({ wrap }) => {
      const error = new Error('dry');
      const generator = wrap(function* () {
        yield 1;
        throw error;
      }, 'fail')();
      generator.next();
      return [thrownBy(() => generator.next()) === error, generator.next().done];
    },
    sees: [true, true],
    calls: [{ op: 'fail', output: [1], error: 'dry' }],
  });

  check('break out of a generator runs its finally at once', {
    run: ({ wrap }) => {
      const seen: unknown[] = [];
      const count = wrap(function* () {
        try {
          yield 1;
          yield 2;
        } finally {
          seen.push('finally');
        }
      }, 'count');
      for (const value of count()) {
        seen.push(value);
        break;
      }
      seen.push('after');
      return seen;
    },
    sees: [1, 'finally', 'after'],
    calls: [{ op: 'count', output: [1] }],
  });

  check('destructuring takes what it needs of a generator and closes it', {
    run: ({ wrap }) => {
      let isClosed = false;
      const count = wrap(function* () {
        try {
          yield 1;
          yield 2;
          yield 3;
        } finally {
          isClosed = true;
        }
      }, 'count');
      const [first, second] = count();
      return [first, second, isClosed];
    },
    sees: [1, 2, true],
    calls: [{ op: 'count', output: [1, 2] }],
  });

  check('yield* delegates to a wrapped generator, and gets its return value', {
    run: ({ wrap }) => {
      const inner = wrap(function* (): Generator<number, string> {
        yield 2;
        return 'inner done';
      }, 'inner');
      const outer = wrap(function* (): Generator {
        yield 1;
        yield yield* inner();
      }, 'outer');
      return [...outer()];
    },
    sees: [1, 2, 'inner done'],
    calls: [
      { op: 'outer', output: [1, 2, 'inner done'], under: null },
      { op: 'inner', under: 'outer' },
    ],
  });

  check('a generator that is never read ends its call as abandoned', {
    run: ({ wrap }) => {
      const count = wrap(function* () {
        yield 1;
      }, 'count');
      return typeof count().next;
    },
    sees: 'function',
    calls: [{ op: 'count', output: [] }],
    meanwhile: collectGarbage,
  });

  check('calls made in the body of a generator are its children, not those of the reader', {
    run: ({ wrap }) => {
      const leaf = wrap((value: number) => value, 'leaf');
      const generator = wrap(function* () {
        yield leaf(1);
        yield leaf(2);
      }, 'generate')();
      const read = wrap(() => [...generator], 'read');
      return read();
    },
    sees: [1, 2],
    calls: [
      { op: 'generate', under: null, output: [1, 2] },
      { op: 'read', under: null },
      { op: 'leaf', under: 'generate', inputs: [1] },
      { op: 'leaf', under: 'generate', inputs: [2] },
    ],
  });

  check('calls made by the reader between two steps are children of the reader', {
    run: ({ wrap }) => {
      const leaf = wrap((value: number) => value, 'leaf');
      const generate = wrap(function* () {
        yield 1;
        yield 2;
      }, 'generate');
      const read = wrap(() => {
        let sum = 0;
        for (const value of generate()) sum += leaf(value);
        return sum;
      }, 'read');
      return read();
    },
    sees: 3,
    calls: [
      { op: 'read', under: null },
      { op: 'generate', under: 'read' },
      { op: 'leaf', under: 'read' },
      { op: 'leaf', under: 'read' },
    ],
  });
}
