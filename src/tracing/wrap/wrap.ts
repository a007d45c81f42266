import { construct, enter, leave, leaveFailed } from './invoke.ts';
import { createOpSpec, type OpSpec, type UntypedOptions, type Wrapping } from './op-spec.ts';
import { checkClassOptions } from './option-rules.ts';
import { isClass } from '../source/parameter-names.ts';

/** The specs that wrappers stand for, so that wrapping one again wraps the function itself. */
const specOf = new WeakMap<Function, OpSpec>();

/** The spec that a wrapper stands for; `undefined` for any other function. */
export function tracedSpec(fn: Function): OpSpec | undefined {
  return specOf.get(fn);
}

/** A function that cannot be told from `fn`, but is recorded when it is called. */
export function wrap(fn: Function, options: UntypedOptions, how: Wrapping): Function {
  const wrapped = specOf.get(fn);
  if (wrapped !== undefined) {
    if (Object.keys(options).length === 0 && how.nameOf === undefined) return fn;
    return wrap(wrapped.fn, { ...wrapped.options, ...options }, { nameOf: wrapped.nameOf, ...how });
  }
  const isOfClass = isClass(Function.prototype.toString.call(fn));
  if (isOfClass) checkClassOptions(options, fn.name);
  const spec = createOpSpec(fn, options, how);
  const wrapper = isOfClass ? wrapClass(spec) : wrapFunction(spec);
  specOf.set(wrapper, spec);
  return wrapper;
}

/** Only a proxy keeps what statics of a class say through either name the same. */
function wrapClass(spec: OpSpec): Function {
  const wrapper: Function = new Proxy(spec.fn, {
    construct(_target, args: unknown[], newTarget): object {
      return construct(spec, args, newTarget === wrapper ? spec.fn : newTarget);
    },
  });
  return wrapper;
}

function wrapFunction(spec: OpSpec): Function {
  return disguise(isConstructible(spec.fn) ? constructibleWrapper(spec) : plainWrapper(spec), spec.fn);
}

/** Gives `wrapper` everything that tells a function from another, as it is of `fn`. */
export function disguise<Wrapper extends Function>(wrapper: Wrapper, fn: Function): Wrapper {
  Object.setPrototypeOf(wrapper, Object.getPrototypeOf(fn) as object | null);
  Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(fn));
  if (!Object.hasOwn(fn, 'toString'))
    Object.defineProperty(
      wrapper,
      'toString',
      hidden(() => fn.toString()),
    );
  return wrapper;
}

/*
 * What stands between two levels of a recursion takes from its depth. So the two wrappers that follow call the function
 * themselves, with the same lines, and everything before and after it is done by functions that have returned by then.
 */

/** A method has no `prototype` and cannot be called with `new`, like the arrow functions and methods it stands for. */
function plainWrapper(spec: OpSpec): Function {
  const holder = {
    wrapper(this: unknown, ...args: unknown[]): unknown {
      const entered = enter(spec, this, args);
      if (entered === undefined) return Reflect.apply(spec.fn, this, args);
      let result: unknown;
      try {
        result = Reflect.apply(spec.fn, this, args);
      } catch (error) {
        throw leaveFailed(entered, error);
      }
      return leave(entered, spec, result);
    },
  };
  // It is called with the receiver of the method that it stands for.
  // oxlint-disable-next-line typescript/unbound-method
  return holder.wrapper;
}

function constructibleWrapper(spec: OpSpec): Function {
  function wrapper(this: unknown, ...args: unknown[]): unknown {
    if (new.target !== undefined) return construct(spec, args, new.target === wrapper ? spec.fn : new.target);
    const entered = enter(spec, this, args);
    if (entered === undefined) return Reflect.apply(spec.fn, this, args);
    let result: unknown;
    try {
      result = Reflect.apply(spec.fn, this, args);
    } catch (error) {
      throw leaveFailed(entered, error);
    }
    return leave(entered, spec, result);
  }
  return wrapper;
}

/** The language answers this only by trying; nothing of `fn` runs. */
function isConstructible(fn: Function): boolean {
  try {
    Reflect.construct(Object, [], fn);
    return true;
  } catch {
    return false;
  }
}

function hidden(value: unknown): PropertyDescriptor {
  return { value, configurable: true, writable: true, enumerable: false };
}
