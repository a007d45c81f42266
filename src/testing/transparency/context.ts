import { strict as assert } from 'node:assert';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ExpectedCall } from './calls.ts';
import { WAYS } from './context-ways.ts';
import { rootsNeverMix } from './interleavings.ts';
import type { Bench, TransparencyKit } from './kit.ts';
import type { RecordedCall } from './subject.ts';

/** Code that runs inside of one call: the parent of every call that it makes, however late. */
export function contextTransparency(kit: TransparencyKit): void {
  for (const [name, run] of Object.entries(WAYS)) {
    kit.check(`a call made in ${name} hangs below the call that caused it`, {
      run: async ({ wrap }) => {
        const leaf = wrap((value: number) => value, 'leaf');
        const root = wrap(async () => await run(() => leaf(7)), 'root');
        return await root();
      },
      sees: 7,
      calls: [ROOT, LEAF],
    });
  }
  errorsKeepTheContext(kit);
  siblingsKeepApart(kit);
  iteratorsKeepTheContext(kit);
  rootsNeverMix(kit);
  endedParentsTakeChildren(kit);
}

const ROOT: ExpectedCall = { op: 'root', under: null };
const LEAF: ExpectedCall = { op: 'leaf', under: 'root', inputs: [7], output: 7 };

function errorsKeepTheContext({ check }: TransparencyKit): void {
  check('a call made after a thrown error was caught hangs where it was caught', {
    run: ({ wrap }) => {
      const { leaf, failing } = parts(wrap);
      return wrap(() => {
        try {
          return failing();
        } catch {
          return leaf(7);
        }
      }, 'root')();
    },
    sees: 7,
    calls: [ROOT, { op: 'failing', under: 'root', error: 'no' }, LEAF],
  });

  check('a call made after a rejection was caught hangs where it was caught', {
    run: async ({ wrap }) => {
      const { leaf, rejecting } = parts(wrap);
      return await wrap(async () => {
        try {
          return await rejecting();
        } catch {
          return leaf(7);
        } finally {
          await nextTurn();
          leaf(7);
        }
      }, 'root')();
    },
    sees: 7,
    calls: [ROOT, { op: 'rejecting', under: 'root', error: 'no' }, LEAF, LEAF],
  });

  check('a call made outside, after an error got through, hangs below nothing', {
    run: async ({ wrap }) => {
      const { leaf, failing, rejecting } = parts(wrap);
      const answers: number[] = [];
      try {
        failing();
      } catch {
        answers.push(leaf(7));
      }
      await rejecting().catch(() => answers.push(leaf(7)));
      return answers;
    },
    sees: [7, 7],
    calls: [
      { op: 'failing', under: null, error: 'no' },
      { ...LEAF, under: null },
      { op: 'rejecting', under: null, error: 'no' },
      { ...LEAF, under: null },
    ],
  });
}

function parts(wrap: Bench['wrap']) {
  return {
    leaf: wrap((value: number) => value, 'leaf'),
    failing: wrap((): number => {
      throw new Error('no');
    }, 'failing'),
    rejecting: wrap(async (): Promise<number> => {
      await nextTurn();
      throw new Error('no');
    }, 'rejecting'),
  };
}

function siblingsKeepApart({ check }: TransparencyKit): void {
  for (const [name, combine] of Object.entries(COMBINERS)) {
    check(`siblings in ${name} are each the parent of their own calls`, {
      run: async ({ wrap }) => {
        const leaf = wrap((branch: number) => branch, 'leaf');
        const branch = wrap(async (n: number) => {
          // The first to begin goes on first, so that the last one to begin is not taken for the running one.
          for (let turn = 0; turn <= n; turn++) await nextTurn();
          leaf(n);
          await nextTurn();
          return leaf(n);
        }, 'branch');
        const root = wrap(async () => {
          await combine([0, 1, 2].map(async (n) => await branch(n)));
          return leaf(9);
        }, 'root');
        return await root();
      },
      sees: 9,
      calls: (calls) => {
        assert.equal(calls.length, 11);
        for (const call of calls.filter(({ op, output }) => op === 'leaf' && output !== 9)) {
          assert.deepEqual([parentOf(call, calls)?.op, parentOf(call, calls)?.output], ['branch', call.output]);
        }
        const last = calls.find(({ op, output }) => op === 'leaf' && output === 9);
        assert.equal(last && parentOf(last, calls)?.op, 'root');
      },
    });
  }

  check('a call made after another has returned is its sibling, never its child', {
    run: async ({ wrap }) => {
      const leaf = wrap((value: number) => value, 'leaf');
      const middle = wrap(async () => (await nextTurn(), leaf(7)), 'middle');
      return await wrap(async () => {
        const running = middle();
        leaf(7);
        await running;
        return leaf(7);
      }, 'root')();
    },
    sees: 7,
    calls: (calls) => {
      const parents = calls.map((call) => [call.op, parentOf(call, calls)?.op]);
      assert.deepEqual(parents.map(([op, parent]) => `${parent} > ${op}`).toSorted(), [
        'middle > leaf',
        'root > leaf',
        'root > leaf',
        'root > middle',
        'undefined > root',
      ]);
    },
  });
}

const COMBINERS: Readonly<Record<string, (running: Promise<number>[]) => Promise<unknown>>> = {
  'Promise.all': async (running) => await Promise.all(running),
  'Promise.allSettled': async (running) => await Promise.allSettled(running),
  'Promise.race': async (running) => {
    await Promise.race(running);
    await Promise.all(running);
  },
};

function iteratorsKeepTheContext({ check }: TransparencyKit): void {
  check('what an async iterator calls hangs below it, what its reader calls below the reader', {
    run: async ({ wrap }) => {
      const inside = wrap((n: number) => n, 'inside');
      const outside = wrap((n: number) => n, 'outside');
      const source = wrap(async function* (count: number) {
        for (let n = 1; n <= count; n++) {
          await nextTurn();
          yield inside(n);
        }
      }, 'source');
      return await wrap(async () => {
        let sum = 0;
        for await (const n of source(2)) {
          await nextTurn();
          sum += outside(n);
        }
        return sum;
      }, 'root')();
    },
    sees: 3,
    calls: [
      ROOT,
      { op: 'source', under: 'root', output: [1, 2] },
      { op: 'inside', under: 'source', output: 1 },
      { op: 'outside', under: 'root', output: 1 },
      { op: 'inside', under: 'source', output: 2 },
      { op: 'outside', under: 'root', output: 2 },
    ],
  });

  check('a method of an async iterator by hand runs in the call that asks for the next value', {
    run: async ({ wrap }) => {
      const leaf = wrap((n: number) => n, 'leaf');
      let left = 2;
      const iterable = {
        [Symbol.asyncIterator]: () => ({
          next: async () => {
            await nextTurn();
            left -= 1;
            return left < 0 ? { done: true as const, value: 0 } : { done: false as const, value: leaf(7) };
          },
        }),
      };
      return await wrap(async () => {
        let sum = 0;
        for await (const n of iterable) sum += n;
        left = 2;
        return sum;
      }, 'root')();
    },
    sees: 14,
    calls: [ROOT, LEAF, LEAF],
  });
}

function endedParentsTakeChildren({ check }: TransparencyKit): void {
  check('a call that is made when its parent has ended is still a child of it', {
    run: async ({ wrap }) => {
      const leaf = wrap((value: number) => value, 'leaf');
      const late: Promise<number>[] = [];
      const root = wrap(() => {
        late.push(nextTurn().then(() => leaf(7)));
        return 1;
      }, 'root');
      return [root(), await late[0]];
    },
    sees: [1, 7],
    calls: [{ ...ROOT, output: 1 }, LEAF],
  });

  check('a child that was begun in time may end after its parent', {
    run: async ({ wrap }) => {
      const leaf = wrap((value: number) => value, 'leaf');
      const child = wrap(async () => (await sleep(2), leaf(7)), 'child');
      let running: Promise<number> | undefined;
      wrap(() => {
        running = child();
      }, 'root')();
      return await running;
    },
    sees: 7,
    calls: [ROOT, { op: 'child', under: 'root', output: 7 }, { ...LEAF, under: 'child' }],
  });
}

function parentOf(call: RecordedCall, calls: readonly RecordedCall[]): RecordedCall | undefined {
  return calls.find(({ id }) => id === call.parent);
}
