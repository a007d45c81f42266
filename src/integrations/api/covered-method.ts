import {
  beginOwnCall,
  captures,
  disguise,
  failCall,
  observe,
  type RecordedCall,
  registry,
  reportOfLibrary,
  type UntypedOptions,
} from '../../tracing/instrument.ts';

/** How calls of a method of a library are recorded. Nothing of it may throw into the program; what does is reported. */
export interface MethodCapture {
  readonly library: string;
  readonly opName: string;
  /** A request that another captured library may make for this one, which is not to be recorded again. */
  readonly isRequest?: boolean;
  /** Below a call of this op another one is a call of its own, and no other layer of the same one. */
  readonly isRecursive?: boolean;
  /** The description that the call begins with; `undefined` where it is none that is recorded. */
  describe(self: unknown, args: readonly unknown[]): CallDescription | undefined;
  /** The arguments that replace `args`, and the function that ends the call with the result of the method. */
  begin(call: RecordedCall, request: MethodRequest): Watch;
}

export interface CallDescription {
  readonly inputs: unknown;
  readonly options: UntypedOptions;
  /** @default that of the capture */
  readonly opName?: string;
}

export interface MethodRequest {
  readonly self: unknown;
  readonly args: readonly unknown[];
  /** The method of the library, as the work of the call. */
  readonly send: (args: readonly unknown[]) => unknown;
}

export interface Watch {
  readonly args: readonly unknown[];
  /** Answers what the program gets: `result`, or one that cannot be told from it. */
  watch(result: unknown): unknown;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Puts a method over one of `target` that records its calls and cannot be told from it. Answers `false` when there is
 * no such method. One that records already stays alone.
 */
export function coverWithCapture(target: object, key: PropertyKey, capture: MethodCapture): boolean {
  const original: unknown = Reflect.get(target, key);
  if (typeof original !== 'function') return false;
  if (captures.methods.has(original)) return true;
  const covered = recording(original, capture);
  const own = Object.getOwnPropertyDescriptor(target, key);
  const enumerable = own?.enumerable ?? false;
  return Reflect.defineProperty(target, key, { value: covered, configurable: true, writable: true, enumerable });
}

/** A function that records its calls and cannot be told from `original`. */
export function recording(original: Function, capture: MethodCapture): Method {
  const covered = disguise(recorder(original, capture), original);
  captures.methods.add(covered);
  return covered;
}

function recorder(original: Function, capture: MethodCapture): Method {
  const holder = {
    method(this: unknown, ...args: unknown[]): unknown {
      if (isSeenAbove(capture)) return Reflect.apply(original, this, args);
      const frame = guarded(capture, () => {
        const description = capture.describe(this, args);
        if (description === undefined) return undefined;
        const { opName = capture.opName, inputs, options } = description;
        return beginOwnCall(opName, inputs, options);
      });
      if (frame === undefined) return Reflect.apply(original, this, args);
      const send = (sent: readonly unknown[]): unknown =>
        registry.context.run(frame, Reflect.apply, original, this, sent as unknown[]);
      const { call } = frame;
      if (call === undefined) return send(args);
      captures.calls.add(call);
      if (capture.isRequest === true) captures.requests.add(call);
      const watch = guarded(capture, () => capture.begin(call, { self: this, args, send })) ?? plainWatch(call, args);
      let result: unknown;
      try {
        result = send(watch.args);
      } catch (error) {
        failCall(call, error);
        throw error;
      }
      return guarded(capture, () => watch.watch(result)) ?? result;
    },
  };
  // It is called with the receiver of the method that it stands for.
  // oxlint-disable-next-line typescript/unbound-method
  return holder.method;
}

/** For a request that could not be looked at. */
function plainWatch(call: RecordedCall, args: readonly unknown[]): Watch {
  return { args, watch: (result) => observe(call, {}, result, false) };
}

/**
 * A request below a layer that records is the same one: at once, or later where the tool of somebody else stands
 * between them and waits.
 */
function isSeenAbove({ opName, isRecursive = false }: MethodCapture): boolean {
  const outer = registry.context.getStore()?.call;
  if (outer === undefined || outer.hasEnded) return false;
  return captures.requests.has(outer) || (!isRecursive && outer.opName === opName && captures.calls.has(outer));
}

/** Capture fails alone: the program goes on as if it were not there. */
export function guarded<Result>(
  { library, opName }: Pick<MethodCapture, 'library' | 'opName'>,
  action: () => Result,
): Result | undefined {
  try {
    return action();
  } catch (error) {
    reportOfLibrary('capture-changed', library, `Cannot record all of a call of "${opName}" (${library})`, error);
    return undefined;
  }
}
