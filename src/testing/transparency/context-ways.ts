import { AsyncResource } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs';
import { PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

type Way = (call: () => number) => number | Promise<number>;

/** By how many ways what a call causes comes about. */
export const WAYS: Readonly<Record<string, Way>> = {
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
