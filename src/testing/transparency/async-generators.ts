import type { TransparencyKit } from './kit.ts';
import { collectGarbage, turns } from './watching.ts';

/** Async generators and objects that hand out async iterators. */
export function asyncGeneratorsTransparency({ check }: TransparencyKit): void {
  check('an async generator is lazy: nothing runs before the first next', {
    run: async ({ wrap }) => {
      let begun = 0;
      const generator = wrap(async function* () {
        begun += 1;
        yield 1;
      }, 'count')();
      await turns();
      const before = begun;
      return [before, (await generator.next()).value, begun, (await generator.next()).done];
    },
    sees: [0, 1, 1, true],
    calls: [{ op: 'count', output: [1] }],
  });

  check('an async generator runs one step per next, never ahead', {
    run: async ({ wrap }) => {
      let steps = 0;
      const generator = wrap(async function* () {
        for (let step = 0; step < 9; step++) {
          steps += 1;
          yield step;
        }
      }, 'count')();
      await generator.next();
      await turns();
      const seen = steps;
      await generator.return(undefined);
      return seen;
    },
    sees: 1,
    calls: [{ op: 'count', output: [0] }],
  });

  check('what next is given arrives in an async generator', {
    run: async ({ wrap }) => {
      const talk = wrap(async function* (): AsyncGenerator<string, string, string> {
        const answer = yield 'question';
        return answer.toUpperCase();
      }, 'talk')();
      await talk.next();
      return await talk.next('yes');
    },
    sees: { value: 'YES', done: true },
    calls: [{ op: 'talk' }],
  });

  check('return of an async generator runs its finally and answers its value', {
    run: async ({ wrap }) => {
      const seen: string[] = [];
      const generator = wrap(async function* () {
        try {
          yield 1;
        } finally {
          await turns(1);
          seen.push('finally');
        }
      }, 'count')();
      await generator.next();
      return [await generator.return('early' as never), seen];
    },
    sees: [{ value: 'early', done: true }, ['finally']],
    calls: [{ op: 'count', output: [1] }],
  });

  check('throw of an async generator arrives as the very same error, which it may catch', {
    run: async ({ wrap }) => {
      const error = new Error('thrown in');
      const generator = wrap(async function* () {
        try {
          yield 'first';
        } catch (caught) {
          yield caught === error;
        }
      }, 'catcher')();
      await generator.next();
      return [(await generator.throw(error)).value, (await generator.next()).done];
    },
    sees: [true, true],
    calls: [{ op: 'catcher', output: ['first', true] }],
  });

  check('an error that an async generator throws is the very same object', {
    run: async ({ wrap }) => {
      const error = new Error('dry');
      const generator = wrap(async function* () {
        yield 1;
        throw error;
      }, 'fail');
      try {
        for await (const _ of generator());
      } catch (caught) {
        return caught === error;
      }
      return 'nothing was thrown';
    },
    sees: true,
    calls: [{ op: 'fail', output: [1], error: 'dry' }],
  });

  check('break out of an async generator runs its finally', {
    run: async ({ wrap }) => {
      const seen: unknown[] = [];
      const count = wrap(async function* () {
        try {
          for (let value = 0; ; value++) yield value;
        } finally {
          seen.push('finally');
        }
      }, 'count');
      for await (const value of count()) {
        seen.push(value);
        if (value === 1) break;
      }
      return seen;
    },
    sees: [0, 1, 'finally'],
    calls: [{ op: 'count', output: [0, 1] }],
  });

  check('an async generator that is never read ends its call as abandoned', {
    run: ({ wrap }) => {
      const count = wrap(async function* () {
        yield 1;
      }, 'count');
      return typeof count().next;
    },
    sees: 'function',
    calls: [{ op: 'count', output: [] }],
    meanwhile: collectGarbage,
  });

  check('parallel next() of an async generator answer in order', {
    run: async ({ wrap }) => {
      const generator = wrap(async function* () {
        for (let value = 0; value < 3; value++) {
          await turns(3 - value);
          yield value;
        }
      }, 'count')();
      const steps = [generator.next(), generator.next(), generator.next(), generator.next()];
      const finished: unknown[] = [];
      for (const step of steps) void step.then(({ value }) => finished.push(value));
      await Promise.all(steps);
      return finished;
    },
    sees: [0, 1, 2, undefined],
    calls: [{ op: 'count', output: [0, 1, 2] }],
  });

  check('return between parallel next() of an async generator waits for its turn', {
    run: async ({ wrap }) => {
      const generator = wrap(async function* () {
        for (let value = 0; value < 99; value++) yield value;
      }, 'count')();
      const steps = await Promise.all([
        generator.next(),
        generator.next(),
        generator.return(undefined),
        generator.next(),
      ]);
      return steps.map(({ value, done }) => (done === true ? 'done' : value));
    },
    sees: [0, 1, 'done', 'done'],
    calls: [{ op: 'count', output: [0, 1] }],
  });

  check('calls made in the body of an async generator are its children, through timers', {
    run: async ({ wrap }) => {
      const leaf = wrap((value: number) => value, 'leaf');
      const generator = wrap(async function* () {
        await turns(1);
        yield leaf(1);
        await turns(1);
        yield leaf(2);
      }, 'generate')();
      const read = wrap(async () => {
        const values: number[] = [];
        for await (const value of generator) values.push(value);
        return values;
      }, 'read');
      return await read();
    },
    sees: [1, 2],
    calls: [
      { op: 'generate', under: null, output: [1, 2] },
      { op: 'read', under: null },
      { op: 'leaf', under: 'generate' },
      { op: 'leaf', under: 'generate' },
    ],
  });

  check('calls made by the reader of an async generator are children of the reader', {
    run: async ({ wrap }) => {
      const leaf = wrap((value: number) => value, 'leaf');
      const generate = wrap(async function* () {
        yield 1;
        yield 2;
      }, 'generate');
      const read = wrap(async () => {
        let sum = 0;
        for await (const value of generate()) sum += leaf(value);
        return sum;
      }, 'read');
      return await read();
    },
    sees: 3,
    calls: [
      { op: 'read', under: null },
      { op: 'generate', under: 'read' },
      { op: 'leaf', under: 'read' },
      { op: 'leaf', under: 'read' },
    ],
  });

  check('an object that hands out async iterators stays the same object and is read by the user alone', {
    run: async ({ wrap }) => {
      let begun = 0;
      const answer = {
        model: 'm',
        async *[Symbol.asyncIterator]() {
          begun += 1;
          yield 'a';
          yield 'b';
        },
      };
      const ask = await wrap(async () => answer, 'ask')();
      await turns();
      const seen: unknown[] = [ask === answer, ask.model, begun];
      for await (const chunk of ask) seen.push(chunk);
      return seen;
    },
    sees: [true, 'm', 0, 'a', 'b'],
    calls: [{ op: 'ask', output: ['a', 'b'] }],
  });
}
