import { construct, invoke } from './invoke.ts';
import { createOpSpec, type OpSpec, type UntypedOptions, type Wrapping } from './op-spec.ts';
import { checkClassOptions } from './option-rules.ts';
import { isClass } from './parameter-names.ts';

/** What wrappers stand for, so that wrapping one again wraps the function itself. */
const specOf = new WeakMap<Function, OpSpec>();

/** What a wrapper stands for; `undefined` for any other function. */
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
  const wrapper = isConstructible(spec.fn) ? constructibleWrapper(spec) : plainWrapper(spec);
  Object.setPrototypeOf(wrapper, Object.getPrototypeOf(spec.fn));
  Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(spec.fn));
  if (!Object.hasOwn(spec.fn, 'toString'))
    Object.defineProperty(
      wrapper,
      'toString',
      hidden(() => spec.fn.toString()),
    );
  return wrapper;
}

/** A method has no `prototype` and cannot be called with `new`, like the arrow functions and methods it stands for. */
function plainWrapper(spec: OpSpec): Function {
  const holder = {
    wrapper(this: unknown, ...args: unknown[]): unknown {
      return invoke(spec, this, args);
    },
  };
  // It is called with the receiver of the method that it stands for.
  // oxlint-disable-next-line typescript/unbound-method
  return holder.wrapper;
}

function constructibleWrapper(spec: OpSpec): Function {
  function wrapper(this: unknown, ...args: unknown[]): unknown {
    if (new.target === undefined) return invoke(spec, this, args);
    return construct(spec, args, new.target === wrapper ? spec.fn : new.target);
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
