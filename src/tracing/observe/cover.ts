import { frameOfWork } from '../propagation/frame-of-work.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import { registry } from '../propagation/registry.ts';

type Method = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Puts a method of our own over one of `target`, on this object only; `Object.keys` sees it where it saw one before.
 * Answers `false` when the object cannot be changed.
 */
export function cover(target: object, key: PropertyKey, value: Method): boolean {
  const enumerable = Object.prototype.propertyIsEnumerable.call(target, key);
  return Reflect.defineProperty(target, key, { value, configurable: true, writable: true, enumerable });
}

/** The same, made from the method that is there; `true` when there is none. */
export function coverMethod(target: object, key: PropertyKey, make: (original: Function) => Method): boolean {
  const original: unknown = Reflect.get(target, key);
  return typeof original !== 'function' || cover(target, key, make(original));
}

/** Calls a covered method as the work of `call`: what it calls hangs below. */
export function below(call: RecordedCall, original: Function, self: unknown, args: unknown[]): unknown {
  return registry.context.run(frameOfWork(call), Reflect.apply, original, self, args);
}
