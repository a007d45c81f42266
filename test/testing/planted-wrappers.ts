import { Readable } from 'node:stream';
import { types } from 'node:util';
import { traced } from '../../src/index.ts';
import type { RecordedCall, TransparencySubject, Wrap } from '../../src/testing/index.ts';

type Change = (result: unknown) => unknown;
type Apply = (target: Function, self: unknown, args: unknown[]) => unknown;

/** A wrapper with one defect. All else is that of `traced`, so that nothing but the defect can fail. */
export interface Planted extends Partial<TransparencySubject> {
  /** Checks to run. @default all */
  readonly only?: RegExp;
  /** What it does to what was recorded, in place of what is done to the function. */
  readonly tamper?: (call: RecordedCall, others: readonly RecordedCall[]) => RecordedCall;
}

/** A shell around the traced function through which everything shines. */
function shell(handler: ProxyHandler<Function>): Wrap {
  return (fn, options) => new Proxy<typeof fn>(traced(fn, options as object), handler);
}

const calling = (apply: Apply): Planted => ({ wrap: shell({ apply }) });

const changing = (change: Change): Planted =>
  calling((target, self, args) => change(Reflect.apply(target, self, args)));

function isNativePromise(value: unknown): value is Promise<unknown> {
  return types.isPromise(value) && Object.getPrototypeOf(value) === Promise.prototype;
}

function isOtherThenable(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== 'object' || value === null || isNativePromise(value)) return false;
  return 'then' in value && typeof value.then === 'function';
}

/** Not to the end: some sources have none. */
async function readSome(stream: ReadableStream): Promise<void> {
  const reader = stream.getReader();
  try {
    for (let chunk = 0; chunk < 20; chunk++) if ((await reader.read()).done) return;
  } catch {
    // The other branch tells of it.
  }
}

/** Arguments of the last call of each op, as they are now. */
const live = new Map<unknown, unknown[]>();

export const PLANTED: Readonly<Record<string, Planted>> = {
  'makes synchronous functions asynchronous': changing((result) =>
    typeof result === 'object' && result !== null ? result : Promise.resolve(result),
  ),
  'makes throws rejections': calling((target, self, args) => {
    try {
      return Reflect.apply(target, self, args);
    } catch (error) {
      return Promise.reject(error);
    }
  }),
  'wraps errors': calling((target, self, args) => {
    const wrapError = (error: unknown) => new Error(`Failed: ${String(error)}`, { cause: error });
    let result: unknown;
    try {
      result = Reflect.apply(target, self, args);
    } catch (error) {
      throw wrapError(error);
    }
    if (!isNativePromise(result)) return result;
    return result.catch((error: unknown) => Promise.reject(wrapError(error)));
  }),
  'swallows rejections': changing((result) => {
    if (isNativePromise(result)) void result.catch(() => undefined);
    return result;
  }),
  'adds an unhandled rejection': changing((result) => {
    if (isNativePromise(result)) void result.then(() => undefined);
    return result;
  }),
  'answers a new promise each time': changing((result) =>
    isNativePromise(result) ? result.then((value) => value) : result,
  ),
  'makes promise subclasses and thenables plain promises': changing((result) =>
    isOtherThenable(result) ? new Promise((resolve) => resolve(result)) : result,
  ),
  'starts lazy thenables': changing((result) => {
    if (isOtherThenable(result)) {
      void result.then(
        () => undefined,
        () => undefined,
      );
    }
    return result;
  }),
  'loses this': calling((target, _self, args) => Reflect.apply(target, undefined, args) as unknown),
  'loses name and length': {
    wrap: shell({
      get: (target, key, receiver) =>
        key === 'name' ? '' : key === 'length' ? 0 : (Reflect.get(target, key, receiver) as unknown),
    }),
  },
  'loses own properties': {
    wrap: shell({
      get: (target, key, receiver) =>
        key in Function.prototype || key === 'prototype' ? (Reflect.get(target, key, receiver) as unknown) : undefined,
      ownKeys: (target) => Reflect.ownKeys(target).filter((key) => key in Function.prototype || key === 'prototype'),
    }),
  },
  'answers its own source': {
    wrap: shell({
      get: (target, key, receiver) =>
        key === 'toString' ? () => 'function () { [wrapped] }' : (Reflect.get(target, key, receiver) as unknown),
    }),
  },
  'breaks new for subclasses': {
    wrap: shell({ construct: (target, args: unknown[]) => Reflect.construct(target, args) as object }),
  },
  'drains generators': changing((result) => {
    if (!types.isGeneratorObject(result) || !(Symbol.iterator in result)) return result;
    const chunks: unknown[] = [];
    for (const chunk of result as Iterable<unknown>) if (chunks.push(chunk) === 1000) break;
    return chunks.values();
  }),
  'ignores an early return of generators': changing((result) => {
    if (!types.isGeneratorObject(result)) return result;
    const isAsync = Symbol.asyncIterator in result;
    const leave = (value: unknown) => ({ done: true, value });
    return Object.defineProperty(result, 'return', {
      value: (value: unknown) => (isAsync ? Promise.resolve(leave(value)) : leave(value)),
      enumerable: false,
    });
  }),
  'copies objects that are returned': changing((result) =>
    typeof result === 'object' && result !== null && Object.getPrototypeOf(result) === Object.prototype
      ? { ...result }
      : result,
  ),
  'hands on other callbacks': calling((target, self, args) => {
    const other = (arg: unknown): unknown =>
      typeof arg === 'function' ? (...given: unknown[]): unknown => Reflect.apply(arg, undefined, given) : arg;
    return Reflect.apply(target, self, args.map(other)) as unknown;
  }),
  'marks the original': {
    wrap: (fn, options) => traced(Object.assign(fn, { isWrapped: true }), options as object),
  },
  'begins async generators at once': changing((result) => {
    if (!types.isGeneratorObject(result) || !(Symbol.asyncIterator in result)) return result;
    const generator = result as unknown as AsyncGenerator;
    const first = generator.next();
    first.catch(() => undefined);
    let isFirst = true;
    const next = generator.next.bind(generator);
    return Object.defineProperty(result, 'next', {
      value: async (...given: [unknown]) => {
        const step = isFirst ? first : next(...given);
        isFirst = false;
        return await step;
      },
      enumerable: false,
    });
  }),
  'forgets what next is given': changing((result) => {
    if (!types.isGeneratorObject(result)) return result;
    const next: unknown = Reflect.get(result, 'next');
    return Object.defineProperty(result, 'next', {
      value: () => Reflect.apply(next as Function, result, []) as unknown,
      enumerable: false,
    });
  }),
  'tees web streams': changing((result) => {
    if (!(result instanceof ReadableStream) || result.locked) return result;
    const [ours, theirs] = result.tee();
    void readSome(ours);
    return theirs;
  }),
  'pulls early from web streams': changing((result) =>
    result instanceof ReadableStream && !result.locked ? result.pipeThrough(new TransformStream()) : result,
  ),
  'reads a clone of responses': changing((result) => {
    const read = (value: unknown) => {
      if (value instanceof Response && value.body) void value.clone().arrayBuffer();
      return value;
    };
    return isNativePromise(result) ? result.then(read) : read(result);
  }),
  'makes streams of Node flow': changing((result) => {
    if (result instanceof Readable) result.on('data', () => undefined).on('error', () => undefined);
    return result;
  }),
  'listens to errors of emitters': changing((result) => {
    const emitter = result as { on?: (event: string, listener: () => void) => unknown } | undefined;
    if (typeof emitter?.on === 'function') emitter.on('error', () => undefined);
    return result;
  }),
  'takes the last call that has begun for the parent': {
    tamper: (call, others) => {
      const before = others[others.indexOf(call) - 1];
      return before === undefined ? call : { ...call, parent: before.id };
    },
  },
  'records only the first chunk of a stream': {
    tamper: (call) => ({ ...call, output: Array.isArray(call.output) ? call.output.slice(0, 1) : call.output }),
  },
  'records no error': { tamper: (call) => ({ ...call, error: undefined }) },
  'ends every call at once': { tamper: (call) => ({ ...call, ended: true }) },
  'records arguments when it sends them, not when they are given': {
    wrap: (fn, options) =>
      shell({
        apply: (target, self, args: unknown[]) => {
          live.set(options?.name, args);
          return Reflect.apply(target, self, args) as unknown;
        },
      })(fn, options),
    tamper: (call) => ({ ...call, inputs: JSON.parse(JSON.stringify(live.get(call.op) ?? call.inputs)) as unknown }),
    sections: ['Values'],
    only: /changed after|not taken for its input/,
  },
  'keeps arguments and result only in its types': {
    type: '<A extends unknown[], R>(fn: (...args: A) => R, options?: object) => (...args: A) => R',
    sections: ['Types'],
    deadlineMs: 30_000,
  },
  'records the arguments in another order': {
    tamper: (call) => ({ ...call, inputs: Object.values(call.inputs ?? {}).toReversed() }),
  },
};
