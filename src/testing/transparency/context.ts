import { strict as assert } from 'node:assert';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs';
import { AsyncResource } from 'node:async_hooks';
import { PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ExpectedCall } from './calls.ts';
import type { Bench, TransparencyKit } from './kit.ts';
import type { RecordedCall } from './subject.ts';

/** What runs inside of one call: the parent of every call that it makes, however late. */
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

type Way = (call: () => number) => number | Promise<number>;

/** By how many ways what a call causes comes about. */
const WAYS: Readonly<Record<string, Way>> = {
  'a timer': async (call) => await new Promise((resolve) => setTimeout(() => resolve(call()), 1)),
  'the third tick of an interval': async (call) =>
    await new Promise((resolve) => {
      let ticks = 0;
      const timer = setInterval(() => {
        ticks += 1;
        if (ticks < 3) return;
        clearInterval(timer);
        resolve(call());
      }, 1);
    }),
  setImmediate: async (call) => await new Promise((resolve) => setImmediate(() => resolve(call()))),
  'a microtask': async (call) => await Promise.resolve().then(call),
  queueMicrotask: async (call) => await new Promise((resolve) => queueMicrotask(() => resolve(call()))),
  'process.nextTick': async (call) => await new Promise((resolve) => process.nextTick(() => resolve(call()))),
  'the code behind an await': async (call) => {
    await nextTurn();
    return call();
  },
  'the code behind an awaited thenable': async (call) => {
    // oxlint-disable-next-line unicorn/no-thenable -- code that awaits one is what this looks at.
    const thenable = { then: (resolve: (value: number) => void) => void setImmediate(resolve, 1) };
    await thenable;
    return call();
  },
  'a callback of the file system': async (call) =>
    await new Promise((resolve) => readFile(fileURLToPath(import.meta.url), () => resolve(call()))),
  'a listener of an event emitter': async (call) => {
    const emitter = new EventEmitter();
    const answer = new Promise<number>((resolve) => emitter.on('ready', () => resolve(call())));
    await nextTurn();
    emitter.emit('ready');
    return await answer;
  },
  'the code behind an awaited event': async (call) => {
    const emitter = new EventEmitter();
    setImmediate(() => emitter.emit('ready'));
    await once(emitter, 'ready');
    return call();
  },
  'a listener of an event target': async (call) =>
    await new Promise((resolve) => {
      const controller = new AbortController();
      controller.signal.addEventListener('abort', () => resolve(call()));
      controller.abort();
    }),
  'the code that reads a Node stream': async (call) => {
    let sum = 0;
    for await (const chunk of Readable.from([1, 2])) sum += Number(chunk);
    return sum === 3 ? call() : 0;
  },
  'a transform of a Node pipeline': async (call) => {
    let answer = 0;
    const transform = new Transform({
      transform(chunk, _encoding, done) {
        answer = call();
        done(null, chunk);
      },
    });
    await pipeline(Readable.from(['x']), transform, new PassThrough().resume());
    return answer;
  },
  'the code that reads a web stream': async (call) => {
    const stream = new ReadableStream<number>({
      async pull(controller) {
        await nextTurn();
        controller.enqueue(1);
        controller.close();
      },
    });
    let sum = 0;
    for await (const chunk of stream) sum += chunk;
    return sum === 1 ? call() : 0;
  },
  'a function that is bound to the context': async (call) => {
    const bound = AsyncResource.bind(call);
    return await new Promise((resolve) => setTimeout(() => resolve(bound()), 1));
  },
  Promise: (call) => new Promise((resolve) => resolve(call())),
};

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

const ROUNDS = 200;
const AT_ONCE = 10;
const ROOTS = 3;

function rootsNeverMix({ check }: TransparencyKit): void {
  check(`roots that run at once never mix, in ${ROUNDS} random interleavings`, {
    run: async ({ wrap }) => {
      const random = randomNumbers(1);
      const pause = async () => await PAUSES[Math.floor(random() * PAUSES.length)]?.();
      const leaf = wrap((root: string) => root, 'leaf');
      const middle = wrap(async (root: string) => {
        await pause();
        leaf(root);
        await pause();
        return root;
      }, 'middle');
      const root = wrap(async (name: string) => {
        await pause();
        await (random() < 0.5 ? middle(name) : Promise.all([middle(name), pause()]));
        leaf(name);
        await pause();
        return leaf(name);
      }, 'root');
      const interleave = async (round: number) => {
        const names = Array.from({ length: ROOTS }, (_, n) => `${round}.${n}`);
        const answers = await Promise.all(names.map(async (name) => await root(name)));
        return answers.filter((answer, n) => answer === names[n]).length;
      };
      let seen = 0;
      for (let round = 0; round < ROUNDS; round += AT_ONCE) {
        const rounds = Array.from({ length: AT_ONCE }, (_, n) => interleave(round + n));
        for (const count of await Promise.all(rounds)) seen += count;
      }
      return seen;
    },
    sees: ROUNDS * ROOTS,
    calls: (calls) => {
      assert.equal(calls.length, ROUNDS * ROOTS * 5);
      const byId = new Map(calls.map((call) => [call.id, call]));
      for (const call of calls) {
        const parent = call.parent === undefined ? undefined : byId.get(call.parent);
        assert.equal(parent === undefined, call.op === 'root', `The call of "${call.op}" hangs in another place`);
        assert.equal(parent?.output ?? call.output, call.output, 'A call hangs below the root of another');
      }
    },
  });
}

const PAUSES: readonly (() => unknown)[] = [
  () => undefined,
  () => Promise.resolve().then(() => undefined),
  () => nextTurn(),
  () => new Promise<void>((resolve) => process.nextTick(resolve)),
  () => new Promise<void>((resolve) => queueMicrotask(resolve)),
  () => new Promise<void>((resolve) => setTimeout(resolve, 0)),
];

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
