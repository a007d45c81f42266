import type { TransparencyKit } from './kit.ts';
import { turns, unhandledDuring } from './watching.ts';

/** A promise with a helper, as libraries of databases and models return them. */
class Job<Value> extends Promise<Value> {
  readonly label = 'job';

  cancel(): string {
    return `${this.label} cancelled`;
  }
}

/** Promise subclasses and objects with a `then` of their own. */
export function thenablesTransparency({ check }: TransparencyKit): void {
  check('a promise subclass is returned as the same object', {
    run: async ({ wrap }) => {
      const job = new Job<number>((resolve) => setImmediate(resolve, 3));
      const result = wrap(() => job, 'start')();
      return [result === job, result instanceof Job, await result];
    },
    sees: [true, true, 3],
    calls: [{ op: 'start', output: 3 }],
  });

  check('the helpers of a promise subclass stay', {
    run: async ({ wrap }) => {
      const job = wrap(() => new Job<string>((resolve) => resolve('done')), 'start')();
      return [job.cancel(), await job, Object.keys(job), job.then(() => 1) instanceof Job];
    },
    sees: ['job cancelled', 'done', ['label'], true],
    calls: [{ op: 'start', output: 'done' }],
  });

  check('a promise subclass that rejects does so once, with the very same error', {
    run: async ({ wrap }) => {
      const error = new Error('job');
      const seen: unknown[] = [];
      const start = wrap(() => Job.reject(error), 'start');
      const unhandled = await unhandledDuring(async () => {
        await start().catch((reason: unknown) => seen.push(reason === error));
      });
      return { seen, unhandled };
    },
    sees: { seen: [true], unhandled: [] },
    calls: [{ op: 'start', error: 'job' }],
  });

  check('an unhandled rejection of a promise subclass stays exactly one', {
    run: async ({ wrap }) => {
      const start = wrap(() => Job.reject(new Error('lost job')), 'start');
      return await unhandledDuring(() => void start());
    },
    sees: ['lost job'],
    // Nobody asks the promise how it went, so a wrapper need not know either.
    calls: (calls) => void calls,
  });

  check('a thenable is returned as the same object, with its class and helpers', {
    run: async ({ wrap }) => {
      const query = new Query(() => 'row');
      const result = wrap(() => query, 'find')();
      return [result === query, result instanceof Query, result.limit(2) === query, Object.keys(result), await result];
    },
    sees: [true, true, true, ['max'], 'row 2'],
    calls: [{ op: 'find', output: 'row 2' }],
  });

  check('a lazy thenable is started by the await of the user alone', {
    run: async ({ wrap }) => {
      let runs = 0;
      const query = wrap(() => new Query(() => `run ${(runs += 1)}`), 'find')();
      await turns();
      const before = runs;
      return [before, await query, runs];
    },
    sees: [0, 'run 1 9', 1],
    calls: [{ op: 'find', output: 'run 1 9' }],
  });

  check('an await of two places runs a lazy thenable once', {
    run: async ({ wrap }) => {
      let runs = 0;
      const query = wrap(() => new Query(() => `run ${(runs += 1)}`), 'find')();
      return [await query, await query, runs];
    },
    sees: ['run 1 9', 'run 1 9', 1],
    calls: [{ op: 'find', output: 'run 1 9' }],
  });

  check('what a lazy thenable calls hangs below the call that made it', {
    run: async ({ wrap }) => {
      const fetchRow = wrap(() => 'row', 'fetchRow');
      return await wrap(() => new Query(() => fetchRow()), 'find')();
    },
    sees: 'row 9',
    calls: [
      { op: 'find', under: null },
      { op: 'fetchRow', under: 'find' },
    ],
  });

  check('a thenable that rejects does so with the very same error', {
    run: async ({ wrap }) => {
      const error = new Error('no such table');
      const find = wrap(() => {
        return new Query(() => {
          throw error;
        });
      }, 'find');
      return await find().then(
        () => 'resolved',
        (reason: unknown) => reason === error,
      );
    },
    sees: true,
    calls: [{ op: 'find', error: 'no such table' }],
  });
}

/** Builds up what it will ask, and asks when it is awaited for the first time. */
class Query implements PromiseLike<string> {
  max = 9;
  readonly #ask: () => string;
  #asked: Promise<string> | undefined;

  constructor(ask: () => string) {
    this.#ask = ask;
  }

  limit(max: number): this {
    this.max = max;
    return this;
  }

  // It is what the checks are about.
  // oxlint-disable-next-line unicorn/no-thenable
  then<A = string, B = never>(
    onValue?: ((value: string) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#asked ??= new Promise((resolve) => resolve(`${this.#ask()} ${this.max}`));
    return this.#asked.then(onValue, onError);
  }
}
