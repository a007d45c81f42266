import { types } from 'node:util';
import { type Watch, whenForgotten } from '../tracing/abandoned.ts';
import { coverMethod } from '../tracing/cover.ts';
import { endCall } from '../tracing/end-call.ts';
import type { RecordedCall } from '../tracing/recorded-call.ts';

/**
 * The promise of the libraries of OpenAI and Anthropic: a response that came, and a function that reads it when the
 * program asks for it by `then`, `parse` or `withResponse`. `asResponse` reads nothing.
 */
export interface ApiPromise extends Promise<unknown> {
  responsePromise: Promise<unknown>;
  parseResponse: (...args: unknown[]) => Promise<unknown>;
}

/** What is told of a request, each at most once; nothing of it may throw. */
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
  const { responsePromise, parseResponse } = promise;
  promise.responsePromise = responsePromise.catch((error: unknown) => refused(error, watch));
  const read = async (...args: unknown[]): Promise<unknown> => {
    let value: unknown;
    try {
      value = await Reflect.apply(parseResponse, promise, args);
    } catch (error) {
      watch.onFailed(error);
      throw error;
    }
    return watch.onParsed(value);
  };
  promise.parseResponse = Object.defineProperty(read, 'name', { value: parseResponse.name, configurable: true });
  coverReading(promise, { isAsked: false, unread: whenForgotten(promise, endUnread(watch.call)) }, watch);
}

async function refused(error: unknown, watch: ApiWatch): Promise<unknown> {
  const again = watch.onRefused(error);
  if (again === undefined) {
    watch.onFailed(error);
    throw error;
  }
  try {
    return await again;
  } catch (second) {
    watch.onFailed(second);
    throw second;
  }
}

/** Shared by a promise and those that are made of it, which read the same response. */
interface Reading {
  isAsked: boolean;
  /** Waits for a program that never asks. From then on what it gets ends the call, and outlives the promise. */
  readonly unread: Watch;
}

function coverReading(promise: object, reading: Reading, watch: ApiWatch): void {
  coverMethod(promise, 'parse', (parse) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      reading.isAsked = true;
      reading.unread.stop();
      return Reflect.apply(parse, this, args);
    };
  });
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
  coverMethod(promise, '_thenUnwrap', (unwrap) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const derived: unknown = Reflect.apply(unwrap, this, args);
      if (typeof derived === 'object' && derived !== null) coverReading(derived, reading, watch);
      return derived;
    };
  });
}

/** Made apart from what holds the promise that is to be forgotten. */
function endUnread(call: RecordedCall): () => void {
  return () => endCall(call, { output: false }, undefined);
}
