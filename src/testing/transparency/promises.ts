import type { TransparencyKit } from './kit.ts';
import { turns, unhandledDuring } from './watching.ts';

/** Promises of the language: what they settle to, who handles their rejection, and which object they are. */
export function promisesTransparency({ check }: TransparencyKit): void {
  check('an async function answers a promise of the language with its value', {
    run: async ({ wrap }) => {
      const answer = wrap(async (n: number) => n * 2, 'double')(21);
      return [Object.getPrototypeOf(answer) === Promise.prototype, await answer];
    },
    sees: [true, 42],
    calls: [{ op: 'double', inputs: [21], output: 42, under: null }],
  });

  check('an async function runs to its first await before it answers', {
    run: async ({ wrap }) => {
      const order: string[] = [];
      const work = wrap(async () => {
        order.push('begun');
        await turns(1);
        order.push('done');
      }, 'work');
      const working = work();
      order.push('answered');
      await working;
      return order;
    },
    sees: ['begun', 'answered', 'done'],
    calls: [{ op: 'work', output: null }],
  });

  check('a rejected promise rejects with the very same error', {
    run: async ({ wrap }) => {
      const error = new TypeError('no');
      const fail = wrap(async () => {
        throw error;
      }, 'fail');
      return await fail().then(
        () => 'resolved',
        (reason: unknown) => reason === error,
      );
    },
    sees: true,
    calls: [{ op: 'fail', error: 'no' }],
  });

  check('a rejected promise rejects once', {
    run: async ({ wrap }) => {
      let rejections = 0;
      const messages = await unhandledDuring(async () => {
        const fail = wrap(async () => Promise.reject(new Error('once')), 'fail');
        await fail().catch(() => (rejections += 1));
      });
      return { rejections, messages };
    },
    sees: { rejections: 1, messages: [] },
    calls: [{ op: 'fail', error: 'once' }],
  });

  check('a rejection that is handled adds no unhandled rejection', {
    run: async ({ wrap }) =>
      await unhandledDuring(() => {
        const known = Promise.reject(new Error('known'));
        void wrap(() => known, 'fail')().catch(() => undefined);
        known.catch(() => undefined);
      }),
    sees: [],
    calls: [{ op: 'fail', error: 'known' }],
  });

  check('a rejection of an async function that nobody handles is not swallowed', {
    run: async ({ wrap }) => {
      const fail = wrap(async () => Promise.reject(new Error('lost')), 'fail');
      return await unhandledDuring(() => void fail());
    },
    sees: ['lost'],
    calls: [{ op: 'fail', error: 'lost' }],
  });

  check('a promise that nobody handles stays one unhandled rejection', {
    run: async ({ wrap }) => {
      const fail = wrap(() => Promise.reject(new Error('lost')), 'fail');
      return await unhandledDuring(() => void fail());
    },
    sees: ['lost'],
    calls: [{ op: 'fail', error: 'lost' }],
  });

  check('a synchronous throw is not made a rejection', {
    run: async ({ wrap }) => {
      const open = wrap((path: string): Promise<string> => {
        if (path === '') throw new TypeError('no path');
        return Promise.resolve(path);
      }, 'open');
      return await unhandledDuring(() => {
        try {
          void open('');
        } catch {
          return;
        }
        throw new Error('nothing was thrown');
      });
    },
    sees: [],
    calls: [{ op: 'open', inputs: [''], error: 'no path' }],
  });

  check('the same promise in is the same promise out', {
    run: async ({ wrap }) => {
      const shared = Promise.resolve('shared');
      const get = wrap(() => shared, 'get');
      const [first, second] = [get(), get()];
      return [first === second, await first];
    },
    sees: [true, 'shared'],
    calls: [
      { op: 'get', output: 'shared' },
      { op: 'get', output: 'shared' },
    ],
  });

  check('a rejected promise that is handed out twice stays one unhandled rejection', {
    run: async ({ wrap }) =>
      await unhandledDuring(() => {
        const shared = Promise.reject(new Error('shared'));
        const get = wrap(() => shared, 'get');
        void get();
        void get();
      }),
    sees: ['shared'],
    calls: [
      { op: 'get', error: 'shared' },
      { op: 'get', error: 'shared' },
    ],
  });

  check('a promise that is awaited twice runs its function once', {
    run: async ({ wrap }) => {
      let runs = 0;
      const load = wrap(async () => (runs += 1), 'load')();
      return [await load, await load, runs];
    },
    sees: [1, 1, 1],
    calls: [{ op: 'load', output: 1 }],
  });

  check('what a library hangs on its promise stays on it', {
    run: async ({ wrap }) => {
      const promise = Object.assign(Promise.resolve(1), { cancel: () => 'cancelled' });
      const result = wrap(() => promise, 'start')();
      return [result.cancel(), await result];
    },
    sees: ['cancelled', 1],
    calls: [{ op: 'start', output: 1 }],
  });

  check('a promise that never settles holds nothing up, and its call goes on', {
    run: ({ wrap }) => {
      const wait = wrap(async () => await new Promise<never>(() => undefined), 'wait');
      return typeof wait().then;
    },
    sees: 'function',
    calls: [{ op: 'wait', ended: false }],
  });
}
