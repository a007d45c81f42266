import { types } from 'node:util';
import { opNameOf } from '../../protocol/ref.ts';
import { endCall } from '../record/end-call.ts';
import { observeGenerator, observeIterable } from './observe-generator.ts';
import { isReadable, observeNodeStream } from './observe-node-stream.ts';
import { isPlainPromise, observePromise } from './observe-promise.ts';
import { isResponse, isWebStream, observeResponse } from './observe-response.ts';
import { observeThenable } from './observe-thenable.ts';
import { observeWebStream } from './observe-web-stream.ts';
import type { UntypedOptions } from '../wrap/op-spec.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import { reportProblem } from '../record/tracer.ts';

/**
 * Ends the call when its result is there: at once for a value, later for promises, generators and thenables. Returns
 * what the user gets: the result itself, or for a native promise the one promise that is derived from it.
 * `isNew` says that nobody else can have seen the result.
 */
export function observe(call: RecordedCall, options: UntypedOptions, result: unknown, isNew: boolean): unknown {
  if (typeof result !== 'object' || result === null) {
    endCall(call, options, result);
    return result;
  }
  try {
    if (types.isPromise(result) && isPlainPromise(result))
      return observePromise(call, options, result, isNew, conclude);
    conclude(call, options, result);
  } catch (error) {
    reportProblem('observe', `Cannot observe the result of "${opNameOf(call.opName)}"`, error, call.tracer);
    endCall(call, options, undefined);
  }
  return result;
}

/** The value that a promise resolved to may still be under way itself. Never throws. */
function conclude(call: RecordedCall, options: UntypedOptions, value: unknown): void {
  try {
    if (typeof value !== 'object' || value === null || !observeLater(call, options, value)) {
      endCall(call, options, value);
    }
  } catch (error) {
    reportProblem('observe', `Cannot observe the result of "${opNameOf(call.opName)}"`, error, call.tracer);
    endCall(call, options, undefined);
  }
}

/** Answers `false` for a value that is all there. Streams of Node and of the web are iterables with more ways to read. */
function observeLater(call: RecordedCall, options: UntypedOptions, value: object): boolean {
  if (types.isGeneratorObject(value)) return addLayer(value) && observeGenerator(call, options, value);
  if (isThenable(value)) return addLayer(value) && observeThenable(call, options, value, conclude);
  if (!has(value, Symbol.asyncIterator)) {
    return has(value, 'clone') && isResponse(value) && addLayer(value) && observeResponse(call, options, value);
  }
  if (!addLayer(value)) return false;
  if (isWebStream(value)) return observeWebStream(call, options, value);
  if (isReadable(value)) return observeNodeStream(call, options, value);
  return !has(value, 'pipe') && observeIterable(call, options, value);
}

/**
 * How many calls may wait for one object. Each puts a layer over its methods, so that an object which is handed out again
 * and again would take up the stack of whoever reads it.
 */
const MAX_LAYERS = 100;
const layersOf = new WeakMap<object, number>();

function addLayer(value: object): boolean {
  const layers = layersOf.get(value) ?? 0;
  if (layers < MAX_LAYERS) layersOf.set(value, layers + 1);
  return layers < MAX_LAYERS;
}

function isThenable(value: object): value is PromiseLike<unknown> {
  return has(value, 'then');
}

function has(value: object, method: PropertyKey): boolean {
  try {
    return typeof Reflect.get(value, method) === 'function';
  } catch {
    // A getter or proxy that throws: the method is not there, and the user finds out when he uses it.
    return false;
  }
}
