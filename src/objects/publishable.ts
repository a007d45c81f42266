import { types } from 'node:util';
import type { ObjectRef } from './object-ref.ts';

/** A key that all copies of this package in a process share, so that they know each other's objects. */
export const PUBLISH: unique symbol = Symbol.for('spoor.publish');

/** A value of ours that knows how it is stored: a dataset, a prompt. */
export interface Publishable {
  [PUBLISH](name?: string): ObjectRef;
}

export function isPublishable(value: unknown): value is Publishable {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  return typeof Reflect.get(value, PUBLISH) === 'function';
}
