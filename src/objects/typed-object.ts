import { isObject } from '../protocol/values/parsed-object.ts';
import { types } from 'node:util';
import { toObjectId } from '../protocol/values/id.ts';
import type { Mask } from '../tracing/mask/mask.ts';

/** Members that tell the service of which class an object is. */
export interface ClassHeader {
  readonly _type: string;
  readonly _class_name: string;
  readonly _bases: readonly string[];
}

/** The members that say it of an object of the class, whose base classes are given nearest first. */
export function classHeader(className: string, bases: readonly string[]): ClassHeader {
  return { _type: className, _class_name: className, _bases: [...bases, 'Object', 'BaseModel'] };
}

export function headerOf(instance: object, className: string): ClassHeader {
  return classHeader(className, basesOf(instance));
}

/** Names of the classes above the one of an instance, nearest first. */
function basesOf(instance: object): string[] {
  const names: string[] = [];
  const own = Object.getPrototypeOf(instance) as object | null;
  for (let prototype = parentOf(own); prototype !== null; prototype = parentOf(prototype)) {
    const { constructor } = prototype;
    if (constructor !== Object && typeof constructor === 'function' && constructor.name !== '')
      names.push(constructor.name);
  }
  return names;
}

function parentOf(prototype: object | null): object | null {
  return prototype === null ? null : (Object.getPrototypeOf(prototype) as object | null);
}

/** The name of an instance: its own name, else the name of its class. */
export function instanceName(instance: object, className: string, mask: Mask): string {
  const name: unknown = types.isProxy(instance) ? undefined : Object.getOwnPropertyDescriptor(instance, 'name')?.value;
  return (typeof name === 'string' && toObjectId(mask.text(name))) || toObjectId(className) || 'object';
}

/**
 * The object whose members are the fields of an instance: itself, or what its `toJSON` makes of it. `undefined` when
 * that is no object: then the instance is a value, like a decimal number or a time.
 */
export function fieldsOf(instance: object): { readonly fields: object | undefined; readonly json: unknown } {
  const { toJSON } = instance as { toJSON?: unknown };
  if (typeof toJSON !== 'function') return { fields: instance, json: undefined };
  const json: unknown = toJSON.call(instance, '');
  return { fields: isObject(json) ? json : undefined, json };
}
