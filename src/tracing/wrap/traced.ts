import { captureCall, type CapturedCall } from './capture-first-call.ts';
import { decorate, decorateProperty, isDecoratorContext } from './decorator.ts';
import type { TracedOptions, UntypedOptions } from './op-spec.ts';
import { checkTracedOptions } from './option-rules.ts';
import { wrap } from './wrap.ts';
import { rememberPlace } from './wrap-place.ts';
import { describe, isPlainObject } from './check-options.ts';

export type { CallKind, TracedOptions } from './op-spec.ts';

/** Any function. */
export type AnyFunction = (...args: never[]) => unknown;

/** Any function or class. */
export type Traceable = AnyFunction | (abstract new (...args: never[]) => unknown);

type ArgumentsOf<F> = F extends (...args: infer Args) => unknown
  ? Args
  : F extends abstract new (...args: infer Args) => unknown
    ? Args
    : never[];

/**
 * The value that output options see; that of a generator or stream depends on `aggregate`, so the user says it. Before
 * TypeScript 6.0 a `function` is looked at after its options, which are first checked against any function: they must
 * pass for it.
 */
type OutputOf<F> = [Traceable] extends [F]
  ? never
  : F extends (...args: never[]) => infer Result
    ? Awaited<Result> extends Stream
      ? never
      : Awaited<Result>
    : never;

type Stream = { next(...args: never[]): unknown } | { [Symbol.asyncIterator](): unknown };

/** The chunk that `aggregate` sees; `never` where the user has to say it. */
type ChunkOf<F> = F extends (...args: never[]) => infer Result
  ? Awaited<Result> extends AsyncIterable<infer Chunk> | Iterable<infer Chunk>
    ? Chunk
    : never
  : never;

type MethodContext = { readonly kind: 'method' | 'class'; readonly name: string | symbol | undefined } & {
  addInitializer: (...args: never[]) => void;
};

/** Decorates or wraps with options given before. */
export interface TracedWithOptions {
  <F extends Traceable>(fn: F): F;
  <F extends Traceable>(method: F, context: MethodContext): F;
  <This, Value>(none: undefined, context: ClassFieldDecoratorContext<This, Value>): (initial: Value) => Value;
  <F>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<F>): TypedPropertyDescriptor<F>;
}

export interface Traced extends TracedWithOptions {
  <F extends Traceable>(fn: F, options?: TracedOptions<ArgumentsOf<F>, OutputOf<F>, ChunkOf<F>>): F;
  (options: TracedOptions): TracedWithOptions;
  /** Runs `fn` and returns its result together with the handle of the first call that it made. */
  capture<Result>(fn: () => Result): CapturedCall<Result>;
}

/**
 * Records every call of a function: `traced(fn)`, `traced(fn, options)`, `traced(options)(fn)`, `@traced` and
 * `@traced(options)`. What comes out has the same type and behaves the same.
 *
 * @example
 * const answer = traced(async function answer(question: string) {
 *   return await ask(question);
 * });
 */
export const traced: Traced = Object.assign(apply as Traced, { capture: captureCall });

/** The forms are told apart by their arguments; the types above are what users see. */
function apply(...args: readonly unknown[]): unknown {
  const [first, second] = args;
  if (isDecoratorContext(second) || isProperty(args)) return applyDecorator({}, args, apply);
  if (typeof first === 'function') return wrap(first, optionsFrom(second), { place: rememberPlace(apply, false) });
  if (!isPlainObject(first)) throw notTraceable(args);
  const options = optionsFrom(first);
  const withOptions = (...decorated: readonly unknown[]): unknown => applyDecorator(options, decorated, withOptions);
  return withOptions;
}

/** `entry` is the function that was called, so that what called it can be told. */
function applyDecorator(options: UntypedOptions, args: readonly unknown[], entry: Function): unknown {
  const [first, second] = args;
  const isContext = isDecoratorContext(second);
  const how = { place: rememberPlace(entry, isContext || second !== undefined) };
  if (isContext) return decorate(first, second, options, how);
  if (isProperty(args)) return decorateProperty(args[0], args[1], args[2], options, how);
  if (typeof first !== 'function') throw notTraceable(args);
  if (second !== undefined) throw new TypeError('Cannot trace with options twice: they were given before the function');
  return wrap(first, options, how);
}

type PropertyArguments = readonly [target: object, key: string | symbol, descriptor?: PropertyDescriptor];

/** Arguments that `experimentalDecorators` gives a decorator. A field has no descriptor, and is refused for it. */
function isProperty(args: readonly unknown[]): args is PropertyArguments {
  const [target, key, descriptor] = args;
  if (typeof key !== 'string' && typeof key !== 'symbol') return false;
  if (typeof target === 'function') return descriptor !== undefined;
  return typeof target === 'object' && target !== null;
}

function optionsFrom(value: unknown): UntypedOptions {
  if (value === undefined) return {};
  checkTracedOptions(value);
  return value;
}

function notTraceable(args: readonly unknown[]): TypeError {
  if (args.length === 0)
    return new TypeError('Cannot trace nothing: write @traced or @traced({ … }), without brackets in between');
  const got = describe(args[0]);
  return new TypeError(`Cannot trace ${got}: want a function, or options first and then the function`);
}
