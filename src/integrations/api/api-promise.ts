import { isObject } from '../../protocol/values/parsed-object.ts';
import { types } from 'node:util';
import { coverMethod, endCall, type RecordedCall, type Watch, whenForgotten } from '../../tracing/instrument.ts';

/**
 * The promise of the libraries of OpenAI and Anthropic: a response that came, and a function that reads it when the
 * program asks for it by `then`, `parse` or `withResponse`. `asResponse` reads nothing.
 */
export interface ApiPromise extends Promise<unknown> {
  responsePromise: Promise<unknown>;
  parseResponse: (...args: unknown[]) => Promise<unknown>;
}

/** The listeners of a request, each called at most once; none of them may throw. */
export interface ApiWatch {
  readonly call: RecordedCall;
  /** The response was read. Answers what the program gets in its place. */
  onParsed(value: unknown): unknown;
  onFailed(error: unknown): void;
  /** A request that failed may be made again: the promise of its response. */
  onRefused(error: unknown): Promise<unknown> | undefined;
  /** The program wants the response as it is, and has not asked for its content. */
  onRawWanted(): void;
  onRaw(response: unknown): void;
}

export function isApiPromise(value: unknown): value is ApiPromise {
  if (typeof value !== 'object' || value === null || !types.isPromise(value)) return false;
  const { responsePromise, parseResponse } = value as Partial<ApiPromise>;
  return types.isPromise(responsePromise) && typeof parseResponse === 'function';
}

/** The promise stays the object it is: what it holds is replaced by what tells us of it. */
export function watchApiPromise(promise: ApiPromise, watch: ApiWatch): void {
  const unread = whenForgotten(promise, endUnread(watch.call));
  const answer = promise.responsePromise.catch((error: unknown) => refused(error, reading));
  const reading: Reading = { answer, watch, unread, seen: new WeakSet(), isAsked: false, isSentAgain: false };
  coverPromise(promise, reading);
}

/** Shared by a promise and those that are made of it, which read the same response. */
interface Reading {
  /** Ours, in the place of the one of the library: nobody may care for it only where nobody cares for that. */
  readonly answer: Promise<unknown>;
  readonly watch: ApiWatch;
  /** Waits for a program that never asks. From then on what it gets ends the call, and outlives the promise. */
  readonly unread: Watch;
  /** The values that were read, and what the library has made of them. */
  readonly seen: WeakSet<object>;
  isAsked: boolean;
  isSentAgain: boolean;
}

async function refused(error: unknown, reading: Reading): Promise<unknown> {
  const { watch } = reading;
  const again = watch.onRefused(error);
  if (again === undefined) {
    watch.onFailed(error);
    throw error;
  }
  try {
    const answer = await again;
    reading.isSentAgain = true;
    return answer;
  } catch (second) {
    watch.onFailed(second);
    throw second;
  }
}

/**
 * Promises that are made of one another are covered alike: one reads by what the other holds, or by what the library has
 * kept for itself, and then nothing of the first is ever asked for.
 */
function coverPromise(promise: ApiPromise, reading: Reading): void {
  promise.responsePromise = reading.answer;
  coverParser(promise, reading);
  for (const way of waysToAsk(promise)) coverAsking(promise, way, reading);
  coverMethod(promise, 'parse', (parse) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      reading.isAsked = true;
      reading.unread.stop();
      return Reflect.apply(parse, this, args);
    };
  });
  coverRaw(promise, reading);
  coverMethod(promise, '_thenUnwrap', (unwrap) => {
    return function (this: unknown, transform: unknown, ...args: unknown[]): unknown {
      const telling = typeof transform === 'function' ? seeing(transform, reading) : transform;
      const derived: unknown = Reflect.apply(unwrap, this, [telling, ...args]);
      if (!isApiPromise(derived)) return derived;
      madeOf.set(derived, promise);
      coverPromise(derived, reading);
      return derived;
    };
  });
}

/** Keeps the first promise as long as one that is made of it: until then the response can be asked for. */
const madeOf = new WeakMap<object, object>();

function coverParser(promise: ApiPromise, reading: Reading): void {
  const { parseResponse } = promise;
  const read = async (...args: unknown[]): Promise<unknown> => {
    let value: unknown;
    try {
      value = await Reflect.apply(parseResponse, promise, args);
    } catch (error) {
      reading.watch.onFailed(error);
      throw error;
    }
    return see(value, reading);
  };
  promise.parseResponse = Object.defineProperty(read, 'name', { value: parseResponse.name, configurable: true });
}

/** The library may read by a parser of its own, which hands over what it has read here only. */
function seeing(transform: Function, reading: Reading): (value: unknown, ...rest: unknown[]) => unknown {
  return (value, ...rest) => {
    const made: unknown = Reflect.apply(transform, undefined, [see(value, reading), ...rest]);
    if (isObject(made)) reading.seen.add(made);
    return made;
  };
}

/** Tells of a value once, however many promises hand it on. */
function see(value: unknown, { seen, watch }: Reading): unknown {
  if (isObject(value)) {
    if (seen.has(value)) return value;
    seen.add(value);
  }
  const given = watch.onParsed(value);
  if (isObject(given)) seen.add(given);
  return given;
}

/** Has no use for what is told by the methods that are covered one by one. */
const NO_WAYS: ReadonlySet<PropertyKey> = new Set(['constructor', 'parseResponse', '_thenUnwrap']);

/** All methods that a program or the library may call for what comes of the request. */
function waysToAsk(promise: ApiPromise): ReadonlySet<PropertyKey> {
  const ways = new Set<PropertyKey>();
  for (let at: object | null = promise; at !== null && at !== Object.prototype; at = Reflect.getPrototypeOf(at)) {
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === 'function' && !NO_WAYS.has(key)) ways.add(key);
    }
  }
  return ways;
}

/**
 * Whoever asks gets the error of the request, of our promise or of that which the library has kept. In the latter case
 * nobody would care for ours, and the program would be ended for an error that it handles.
 */
function coverAsking(promise: ApiPromise, way: PropertyKey, { answer }: Reading): void {
  coverMethod(promise, way, (ask) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      answer.catch(() => undefined);
      return Reflect.apply(ask, this, args);
    };
  });
}

function coverRaw(promise: ApiPromise, reading: Reading): void {
  const { watch } = reading;
  coverMethod(promise, 'asResponse', (asResponse) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      reading.unread.stop();
      if (!reading.isAsked) watch.onRawWanted();
      const result: unknown = Reflect.apply(asResponse, this, args);
      if (!types.isPromise(result)) return result;
      return result.then((response) => {
        if (!reading.isAsked) watch.onRaw(response);
        return response;
      });
    };
  });
  coverMethod(promise, 'withResponse', (withResponse) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const result: unknown = Reflect.apply(withResponse, this, args);
      if (!types.isPromise(result)) return result;
      return result.catch((error: unknown) => {
        if (!reading.isSentAgain) throw error;
        return withAnswer(promise);
      });
    };
  });
}

/** As the library makes it, of the request that was made again: it may have kept the one that was refused. */
async function withAnswer(promise: ApiPromise): Promise<unknown> {
  const { response } = (await promise.responsePromise) as { readonly response: Response };
  return { data: await promise, response, request_id: response.headers.get('x-request-id') };
}

/** Made apart from what holds the promise that is to be forgotten. */
function endUnread(call: RecordedCall): () => void {
  return () => endCall(call, { output: false }, undefined);
}
