import { classNameOf } from '../tracing/capture/capture-instance.ts';
import type { AnyFunction } from '../tracing/wrap/traced.ts';
import { tracedSpec } from '../tracing/wrap/wrap.ts';
import { describe, toObjectName } from './check-argument.ts';
import { currentDestination } from './destination.ts';
import type { ObjectRef } from './object-ref.ts';
import { opRef } from './op-ref.ts';
import { isPublishable, PUBLISH } from './publishable.ts';
import { saveObject } from './save-object.ts';
import type { StoredFile } from './stored-file.ts';
import { instanceName } from './typed-object.ts';

/**
 * Stores a version of a value under a name and returns its reference at once: the digest is computed here, and what
 * has to be sent goes out in the background. A value that is published already makes no new version. Secrets are
 * masked.
 *
 * - An instance of a class is stored with the names of its class and base classes.
 * - Instances, traced functions, prompts and datasets inside the value become versions of their own.
 * - A traced function is published as the version of its op, under its own name.
 * - From now on a call that is given the value records the reference, as long as nothing in the value changes.
 *
 * Throws a `TypeError` for what cannot be stored, and for a name that is none.
 *
 * @example
 * const settings = publish({ temperature: 0.2 }, 'settings');
 * await answer(question, settings);
 */
export function publish(fn: AnyFunction): ObjectRef<StoredFile>;
export function publish<Value>(value: Value, name?: string): ObjectRef<Value>;
export function publish(value: unknown, name?: string): ObjectRef {
  const objectId = name === undefined ? undefined : toObjectName(name, 'publish');
  if (typeof value === 'function') return publishOp(value, objectId);
  if (value === undefined || typeof value === 'symbol') throw refuse(`is ${describe(value)}, which cannot be stored`);
  if (isPublishable(value)) return value[PUBLISH](objectId);
  return saveObject(value, objectId ?? nameOf(value));
}

function publishOp(fn: Function, objectId: string | undefined): ObjectRef {
  const spec = tracedSpec(fn);
  if (spec === undefined) throw refuse('is a function that is not traced: wrap it with traced() first');
  if (objectId !== undefined) {
    throw new TypeError(
      'Cannot publish: a traced function takes no argument "name"; give it with traced(fn, { name })',
    );
  }
  return opRef(spec, undefined, currentDestination());
}

function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'object';
  const className = classNameOf(value);
  if (className === undefined || className === 'Object') return 'object';
  return instanceName(value, className, currentDestination().mask);
}

function refuse(reason: string): TypeError {
  return new TypeError(`Cannot publish: the argument "value" ${reason}`);
}
