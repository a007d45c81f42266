import { strict as assert } from 'node:assert';
import type { TransparencyKit } from './kit.ts';
import { turns } from './watching.ts';

/** Calls inside calls, many at once, and deep ones. */
export function loadTransparency({ check }: TransparencyKit): void {
  check('a function that calls itself is its own parent', {
    run: ({ wrap }) => {
      const factorial: (n: number) => number = wrap((n: number): number => (n <= 1 ? 1 : n * factorial(n - 1)), 'f');
      return factorial(4);
    },
    sees: 24,
    calls: (calls) => {
      assert.deepEqual(
        calls.map(({ parent, output }) => [calls.findIndex(({ id }) => id === parent), output]),
        [
          [-1, 24],
          [0, 6],
          [1, 2],
          [2, 1],
        ],
      );
    },
  });

  check('a function that is called again while it is being called keeps both calls apart', {
    run: ({ wrap }) => {
      const seen: string[] = [];
      const visit: (names: string[]) => number = wrap((names: string[]): number => {
        seen.push(names.join('+'));
        return names.length < 2 ? 1 : names.reduce((sum, name) => sum + visit([name]), 0);
      }, 'visit');
      return [visit(['a', 'b']), seen];
    },
    sees: [2, ['a+b', 'a', 'b']],
    calls: (calls) => {
      const [root, ...others] = calls;
      assert.equal(root?.parent, undefined);
      assert.deepEqual(
        others.map(({ parent, output }) => [parent, output]),
        [
          [root?.id, 1],
          [root?.id, 1],
        ],
      );
    },
  });

  check('a thousand calls in parallel keep their results and parents apart', {
    run: async ({ wrap }) => {
      const leaf = wrap(async (n: number) => {
        await turns(n % 3);
        return n;
      }, 'leaf');
      const root = wrap(async (n: number) => {
        await turns(n % 2);
        return await leaf(n);
      }, 'root');
      const results = await Promise.all(Array.from({ length: 500 }, (_, n) => root(n)));
      return results.every((result, n) => result === n);
    },
    sees: true,
    calls: (calls) => {
      const byId = new Map(calls.map((call) => [call.id, call]));
      assert.equal(calls.length, 1000);
      assert(calls.every(({ ended }) => ended));
      for (const { op, parent, output } of calls) {
        const above = parent === undefined ? undefined : byId.get(parent);
        assert.equal(above?.op, op === 'leaf' ? 'root' : undefined);
        if (above !== undefined) assert.equal(above.output, output, 'A call hangs below the call of another');
      }
    },
  });

  check('an asynchronous recursion goes ten thousand levels deep', {
    run: async ({ wrap }) => {
      const descend: (left: number) => Promise<number> = wrap(async (left: number): Promise<number> => {
        await Promise.resolve();
        return left === 0 ? 0 : 1 + (await descend(left - 1));
      }, 'descend');
      return await descend(9_999);
    },
    sees: 9_999,
    calls: (calls) => {
      assert.equal(calls.length, 10_000);
      assert(calls.every(({ ended }) => ended));
      const parents = new Set(calls.map(({ parent }) => parent));
      assert.equal(parents.size, 10_000, 'Two calls have the same parent');
    },
  });

  check('a synchronous recursion goes two thousand levels deep', {
    run: ({ wrap }) => {
      const descend: (left: number) => number = wrap(
        (left: number): number => (left === 0 ? 0 : 1 + descend(left - 1)),
        'descend',
      );
      return descend(1_999);
    },
    sees: 1_999,
    calls: (calls) => {
      assert.equal(calls.length, 2_000);
      assert.equal(calls.filter(({ ended }) => ended).length, 2_000);
    },
  });

  check('a runaway recursion fails with the error of the language', {
    run: ({ wrap }) => {
      const descend: () => number = wrap((): number => 1 + descend(), 'descend');
      try {
        return descend();
      } catch (error) {
        return [error instanceof RangeError, String(error)];
      }
    },
    sees: [true, 'RangeError: Maximum call stack size exceeded'],
    calls: (calls) => assert(calls[0]?.error?.includes('Maximum call stack size exceeded')),
  });
}
