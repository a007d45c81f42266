import { classNameOf } from '../capture/capture-instance.ts';
import { describe } from './check-options.ts';
import type { UntypedOptions, Wrapping } from './op-spec.ts';
import { reportProblem } from '../record/tracer.ts';
import { wrap } from './wrap.ts';

/** The context of a decorator of the language; `kind` tells it from our options, which have a `kind`, too. */
export interface DecoratorContext {
  readonly kind: string;
  readonly name: string | symbol | undefined;
  readonly static?: boolean;
  readonly private?: boolean;
  addInitializer(initializer: (this: unknown) => void): void;
}

/** Was the function called by the language as a decorator? */
export function isDecoratorContext(value: unknown): value is DecoratorContext {
  if (typeof value !== 'object' || value === null || !('addInitializer' in value)) return false;
  return typeof value.addInitializer === 'function' && 'kind' in value && 'name' in value;
}

/** Applies a decorator of the language to a method, a class, or a field that holds a function. */
export function decorate(value: unknown, context: DecoratorContext, options: UntypedOptions, how: Wrapping): unknown {
  const name = String(context.name ?? 'anonymous');
  if (context.kind === 'class' && typeof value === 'function') return wrap(value, options, how);
  if (context.kind === 'field') return (initial: unknown) => decorateField(initial, name, options, how);
  if (context.kind !== 'method' || typeof value !== 'function') {
    throw new TypeError(`Cannot trace "${name}": a ${context.kind} is not a method`);
  }
  const methodName = (self: unknown) => `${ownerName(self, context.name, wrapper)}.${name}`;
  const wrapper: Function = wrap(value, options, { ...how, nameOf: methodName });
  return wrapper;
}

/** Applies a decorator of `experimentalDecorators`, which gets the prototype or, for a static method, the class. */
export function decorateProperty(
  target: object,
  key: string | symbol,
  descriptor: PropertyDescriptor | undefined,
  options: UntypedOptions,
  how: Wrapping,
): PropertyDescriptor {
  const method: unknown = descriptor?.value;
  if (typeof method !== 'function') throw new TypeError(`Cannot trace "${String(key)}": it is not a method`);
  const owner = typeof target === 'function' ? target.name : classNameOf(target);
  const name = owner === undefined ? String(key) : `${owner}.${String(key)}`;
  return { ...descriptor, value: wrap(method, options, { ...how, nameOf: () => name }) };
}

function decorateField(initial: unknown, name: string, options: UntypedOptions, how: Wrapping): unknown {
  if (typeof initial !== 'function') {
    // Told rather than thrown: it is found out when an instance is made, in the middle of the program.
    if (initial !== undefined)
      reportProblem('traced_field', `Cannot trace the field "${name}"`, `want a function, got ${describe(initial)}`);
    return initial;
  }
  const nameIn = (self: unknown) => {
    const owner = typeof self === 'object' && self !== null ? classNameOf(self) : undefined;
    return owner === undefined ? name : `${owner}.${name}`;
  };
  return wrap(initial, options, { ...how, nameOf: nameIn });
}

/**
 * Name of the class that has the method. It does not exist yet while its methods are decorated, so it is looked for
 * at the first call: from the receiver up to the prototype that owns the wrapper. A private method is nobody's
 * property, so there the class of the receiver has to do.
 */
function ownerName(self: unknown, key: string | symbol | undefined, wrapper: Function): string {
  if (self === null || (typeof self !== 'object' && typeof self !== 'function')) return 'anonymous';
  if (key === undefined) return nameOf(self);
  for (let owner: object | null = self; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
    if (Object.getOwnPropertyDescriptor(owner, key)?.value === wrapper) return nameOf(owner);
  }
  return nameOf(self);
}

function nameOf(owner: object): string {
  return (typeof owner === 'function' ? owner.name : classNameOf(owner)) ?? 'anonymous';
}
