import { activeTracer, askOption, captures, isClass, observe, type UntypedOptions } from '../../tracing/instrument.ts';
import { coverWithCapture, guarded, type MethodCapture, recording } from './covered-method.ts';
import { checkInstrument, type InstrumentOptions, type UntypedInstrument } from './instrument-options.ts';

/** The method of a known type; of others nothing is known. */
type MethodOf<Target, Key> = Key extends keyof Target ? Target[Key] : (...args: readonly unknown[]) => unknown;

type ResultOf<Method> = Method extends (...args: never[]) => infer Result ? Awaited<Result> : unknown;

/** The value for `usage`, `output` and `failure`: of a stream what `aggregate` makes, so there the program says it. */
type OutputOf<Result> = Result extends { [Symbol.asyncIterator](): unknown } | { next(...args: never[]): unknown }
  ? never
  : Result;

type ChunkOf<Result> = Result extends AsyncIterable<infer Chunk> | Iterable<infer Chunk> ? Chunk : never;

type OptionsOf<Method, Self> = InstrumentOptions<
  Method extends (...args: infer Args) => unknown ? Args : readonly unknown[],
  OutputOf<ResultOf<Method>>,
  ChunkOf<ResultOf<Method>>,
  Self
>;

/**
 * Records the calls of a method of a library: of one object, or of all of a class by its `prototype`. The method that it
 * puts there cannot be told from the one that was there; one that records already stays alone. What goes wrong in the
 * recording is reported, and never reaches the program.
 *
 * Answers `false` when there is no such method, or the object cannot be changed. Throws a `TypeError` or `RangeError` for
 * options that make no sense.
 *
 * @example
 * instrumentMethod(oracle, 'ask', {
 *   library: 'oracle',
 *   name: 'oracle.ask',
 *   kind: 'llm',
 *   inputs: (question) => ({ question }),
 *   usage: ({ model, tokens }) => ({ model, ...tokens }),
 * });
 */
export function instrumentMethod<Target extends object, Key extends PropertyKey>(
  target: Target,
  key: Key,
  options: NoInfer<OptionsOf<MethodOf<Target, Key>, Target>>,
): boolean {
  checkInstrument('instrumentMethod', options);
  if ((typeof target !== 'object' && typeof target !== 'function') || target === null) {
    throw new TypeError(`Cannot instrument "${String(key)}": want an object that has it`);
  }
  const { library, name: opName } = options;
  return guarded({ library, opName }, () => coverWithCapture(target, key, captureFor(options))) ?? false;
}

/**
 * The same for a function that is no method: answers one that records its calls and cannot be told from it. One that
 * records already is answered as it is.
 *
 * @example
 * export const ask = instrumentFunction(oracle.ask, { library: 'oracle', name: 'oracle.ask', inputs: (question) => ({ question }) });
 */
export function instrumentFunction<Fn extends (...args: never[]) => unknown>(
  fn: Fn,
  options: OptionsOf<Fn, unknown>,
): Fn {
  checkInstrument('instrumentFunction', options);
  if (typeof fn !== 'function' || isClass(Function.prototype.toString.call(fn)))
    throw new TypeError('Cannot instrument: want a function that is no class');
  if (captures.methods.has(fn)) return fn;
  // What is recorded is called as the function is.
  return recording(fn, captureFor(options)) as unknown as Fn;
}

function captureFor(options: UntypedInstrument): MethodCapture {
  const { library, name: opName, inputs, attributes, isRequest = false, ...rest } = options;
  // They were checked: what functions among them take, the program has said.
  const callOptions = rest as UntypedOptions;
  return {
    library,
    opName,
    isRequest,
    isRecursive: true,
    describe(self, args) {
      const tracer = activeTracer();
      if (tracer === undefined) return undefined;
      const asked = { tracer, opName, self };
      const made =
        typeof attributes === 'function' ? askOption(asked, 'attributes', attributes, args, undefined) : attributes;
      return {
        inputs: inputs === false ? {} : askOption(asked, 'inputs', inputs, args, {}),
        options: made === undefined ? callOptions : { ...callOptions, attributes: made },
      };
    },
    begin: (call, { args }) => ({ args, watch: (result) => observe(call, callOptions, result, false) }),
  };
}
