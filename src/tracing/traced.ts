import { captureCall, type CapturedCall } from './capture-first-call.ts';
import { decorate, decorateProperty, isDecoratorContext } from './decorator.ts';
import type { TracedOptions, UntypedOptions } from './op-spec.ts';
import { wrap } from './wrap.ts';

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

/** What the output options see; that of a generator or stream depends on `aggregate`, so there the user says it. */
type OutputOf<F> = F extends (...args: never[]) => infer Result
  ? Awaited<Result> extends Stream
    ? never
    : Awaited<Result>
  : never;

type Stream = { next(...args: never[]): unknown } | { [Symbol.asyncIterator](): unknown };

/** What `aggregate` sees; `never` where the user has to say it. */
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
function apply(first: unknown, second?: unknown, third?: unknown): unknown {
  if (typeof first === 'function' && (second === undefined || isOptions(second))) return wrap(first, second ?? {});
  if (isDecoratorContext(second) || isKey(second)) return applyDecorator({}, first, second, third);
  if (isOptions(first)) return (...args: unknown[]) => applyDecorator(first, args[0], args[1], args[2]);
  throw new TypeError('Cannot trace this: pass a function, or options first and then the function');
}

function applyDecorator(options: UntypedOptions, first: unknown, second: unknown, third: unknown): unknown {
  if (isDecoratorContext(second)) return decorate(first, second, options);
  if (isKey(second) && (typeof first === 'object' || typeof first === 'function') && first !== null) {
    return decorateProperty(first, second, third as PropertyDescriptor | undefined, options);
  }
  if (typeof first === 'function') return wrap(first, options);
  throw new TypeError(`Cannot trace a value of type ${typeof first}: it is not a function`);
}

function isKey(value: unknown): value is string | symbol {
  return typeof value === 'string' || typeof value === 'symbol';
}

function isOptions(value: unknown): value is UntypedOptions {
  return typeof value === 'object' && value !== null && !isDecoratorContext(value);
}
