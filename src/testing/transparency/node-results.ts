import { EventEmitter, once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TransparencyKit } from './kit.ts';
import { turns } from './watching.ts';

/** Responses, streams and emitters of Node, and functions that answer by a callback. */
export function nodeResultsTransparency(kit: TransparencyKit): void {
  responses(kit);
  nodeStreams(kit);
  emitters(kit);
  callbacks(kit);
}

function responses({ check }: TransparencyKit): void {
  check('a response is the same object, and its body is unread', {
    run: async ({ wrap }) => {
      const response = new Response('{"a":1}', { status: 201, headers: { 'content-type': 'application/json' } });
      const answer = await wrap(async () => response, 'ask')();
      const { bodyUsed, status } = answer;
      return [answer === response, answer instanceof Response, status, bodyUsed, await answer.json(), answer.bodyUsed];
    },
    sees: [true, true, 201, false, { a: 1 }, true],
    calls: [{ op: 'ask' }],
  });

  check('a clone of a response can be read beside it', {
    run: async ({ wrap }) => {
      const answer = wrap(() => new Response('text', { headers: { 'content-type': 'text/plain' } }), 'ask')();
      const copy = answer.clone();
      return [await answer.text(), await copy.text()];
    },
    sees: ['text', 'text'],
    calls: [{ op: 'ask' }],
  });

  check('the body of a response is pulled when the user reads it, not before', {
    run: async ({ wrap }) => {
      let pulls = 0;
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            pulls += 1;
            if (pulls === 1) controller.enqueue(new TextEncoder().encode('late'));
            else controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const answer = wrap(() => new Response(body, { headers: { 'content-type': 'text/plain' } }), 'ask')();
      await turns();
      return [pulls, await answer.text(), pulls];
    },
    sees: [0, 'late', 2],
    calls: [{ op: 'ask' }],
  });

  check('a response without a body is over at once', {
    run: ({ wrap }) => {
      const answer = wrap(() => new Response(null, { status: 204 }), 'ask')();
      return [answer.status, answer.body];
    },
    sees: [204, null],
    calls: [{ op: 'ask' }],
  });
}

/** Hands out letters, one for each `_read`. */
function letters(text: string, failure?: Error): { readonly stream: Readable; readonly reads: () => number } {
  let reads = 0;
  const stream = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      const letter = text[reads];
      reads += 1;
      if (letter !== undefined) this.push(letter);
      else if (failure) this.destroy(failure);
      else this.push(null);
    },
  });
  return { stream, reads: () => reads };
}

function nodeStreams({ check }: TransparencyKit): void {
  check('a stream of Node is the same object, paused and unread', {
    run: async ({ wrap }) => {
      const { stream, reads } = letters('ab');
      const opened = wrap(() => stream, 'open')();
      await turns();
      const before = [opened === stream, reads(), opened.readableFlowing, opened.listenerCount('data')];
      return [...before, await opened.toArray()];
    },
    sees: [true, 0, null, 0, ['a', 'b']],
    calls: [{ op: 'open', output: ['a', 'b'] }],
  });

  check('a stream of Node is read by data events, paused reads and pipelines alike', {
    run: async ({ wrap }) => {
      const open = wrap((text: string) => letters(text).stream, 'open');
      const seen: string[] = [];
      const flowing = open('ab').on('data', (letter: string) => seen.push(letter));
      await once(flowing, 'end');
      const paused = open('cd');
      paused.on('readable', () => {
        for (let letter = paused.read(); letter !== null; letter = paused.read()) seen.push(letter as string);
      });
      await once(paused, 'end');
      const write = (letter: string, _encoding: string, done: () => void) => {
        seen.push(letter);
        done();
      };
      await pipeline(open('ef'), new Writable({ objectMode: true, write }));
      return seen;
    },
    sees: ['a', 'b', 'c', 'd', 'e', 'f'],
    calls: [
      { op: 'open', output: ['a', 'b'] },
      { op: 'open', output: ['c', 'd'] },
      { op: 'open', output: ['e', 'f'] },
    ],
  });

  check('back-pressure of a stream of Node is kept', {
    run: async ({ wrap }) => {
      const { stream, reads } = letters('abcdefghijklmnopqrstuvwxyz');
      const iterator = wrap(() => stream, 'open')()[Symbol.asyncIterator]();
      await iterator.next();
      await turns(20);
      const isBounded = reads() <= 3;
      await iterator.return?.();
      return [isBounded, stream.destroyed];
    },
    sees: [true, true],
    calls: [{ op: 'open', output: ['a'] }],
  });

  check('a stream of Node that fails does so with the very same error', {
    run: async ({ wrap }) => {
      const error = new Error('dry');
      const opened = wrap(() => letters('a', error).stream, 'open')();
      return await opened.toArray().catch((caught: unknown) => caught === error);
    },
    sees: true,
    calls: [{ op: 'open', output: ['a'], error: 'dry' }],
  });

  check('an error of a stream of Node that nobody listens to is thrown as ever', {
    run: async ({ wrap }) => {
      const opened = wrap(() => letters('', new Error('unheard')).stream, 'open')();
      const thrown: string[] = [];
      const others = process.listeners('uncaughtException');
      process.removeAllListeners('uncaughtException');
      process.once('uncaughtException', (error) => thrown.push(error.message));
      try {
        opened.resume();
        await turns(5);
      } finally {
        process.removeAllListeners('uncaughtException');
        for (const listener of others) process.on('uncaughtException', listener);
      }
      return thrown;
    },
    sees: ['unheard'],
    calls: [{ op: 'open', error: 'unheard' }],
  });
}

function emitters({ check }: TransparencyKit): void {
  check('an emitter is the same object, with the listeners that it had', {
    run: ({ wrap }) => {
      const emitter = new EventEmitter();
      const open = wrap(() => emitter, 'open');
      const opened = open();
      const heard: unknown[] = [];
      opened.on('word', (word) => heard.push(word));
      opened.emit('word', 'hello');
      return [opened === emitter, opened.eventNames(), opened.listenerCount('error'), heard];
    },
    sees: [true, ['word'], 0, ['hello']],
    calls: [{ op: 'open' }],
  });

  check('an error that an emitter emits unheard is thrown as ever', {
    run: ({ wrap }) => {
      const error = new Error('unheard');
      const opened = wrap(() => new EventEmitter(), 'open')();
      try {
        opened.emit('error', error);
      } catch (caught) {
        return caught === error;
      }
      return 'nothing was thrown';
    },
    sees: true,
    calls: [{ op: 'open' }],
  });
}

type Done = (error: Error | null, value?: string) => void;

function callbacks({ check }: TransparencyKit): void {
  const read = (path: string, done: Done) => {
    setImmediate(() => (path === '' ? done(new Error('no path')) : done(null, `text of ${path}`)));
    return 'reading';
  };

  check('a function that takes its callback last calls the very same callback, once, later', {
    run: async ({ wrap }) => {
      const run = wrap(read, 'read');
      const seen: unknown[] = [];
      await new Promise<void>((resolve) => {
        seen.push(
          run('a.txt', (error, value) => {
            seen.push(error, value);
            resolve();
          }),
        );
      });
      await turns();
      return seen;
    },
    sees: ['reading', null, 'text of a.txt'],
    calls: [{ op: 'read', output: 'reading' }],
  });

  check('a callback is handed on as the same function', {
    run: ({ wrap }) => {
      const callback = () => 'called';
      return wrap((given: () => string) => given === callback, 'same')(callback);
    },
    sees: true,
    calls: [{ op: 'same', output: true }],
  });

  check('a wrapped function that takes its callback last can be made a promise by others', {
    run: async ({ wrap }) => {
      const { promisify } = await import('node:util');
      const promised = promisify(wrap(read, 'read') as (path: string, done: Done) => void);
      return [await promised('b.txt'), await promised('').catch((error: unknown) => String(error))];
    },
    sees: ['text of b.txt', 'Error: no path'],
    calls: [{ op: 'read' }, { op: 'read' }],
  });

  check('what util.promisify.custom says of a function stays', {
    run: async ({ wrap }) => {
      const { promisify } = await import('node:util');
      const original = Object.assign((n: number) => n, { [promisify.custom]: async (n: number) => n * 10 });
      const wrapped = wrap(original, 'times');
      wrapped(1);
      return await promisify(wrapped)(2);
    },
    sees: 20,
    calls: [{ op: 'times', inputs: [1] }],
  });
}
