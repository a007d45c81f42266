import { isObject } from '../../protocol/values/parsed-object.ts';
import { types } from 'node:util';
import {
  type CallKind,
  captureOutput,
  endCall,
  failCall,
  isPlainPromise,
  type ModelUsage,
  observe,
  observePromise,
  type RecordedCall,
  recordUsage,
  reportOfLibrary,
  type UntypedOptions,
} from '../../tracing/instrument.ts';
import { isApiPromise, watchApiPromise } from './api-promise.ts';
import { guarded, type MethodCapture, type MethodRequest, type Watch } from './covered-method.ts';
import {
  type GeneratorWatch,
  isAsyncGenerator,
  isEventStream,
  watchEventStream,
  watchGenerator,
} from './event-stream.ts';
import type { Fold } from './fold.ts';
import { aggregateFor } from './raw-body.ts';
import { askForUsage, type UsageQuestion } from './stream-usage.ts';

/** A method of a provider's library that makes one request to a model. */
export interface ApiRequest {
  readonly library: string;
  readonly provider: string;
  readonly opName: string;
  readonly kind: CallKind;
  /** Puts the events of a streamed response together. */
  readonly newFold?: () => Fold;
  /** The tokens that a response tells; `model` is the one that was asked for. */
  readonly usageOf: (output: unknown, model: string) => ModelUsage | undefined;
  /** The failure that a response tells of, though it came. */
  readonly failureOf?: (output: unknown) => Error | undefined;
  /** Streams tell their tokens only to those who ask. */
  readonly mustAskForUsage?: boolean;
  /** The part that is recorded of a response that did not come as a stream. @default all of it */
  readonly recordedOf?: (output: unknown) => unknown;
  /** Of the client that the receiver of the method belongs to; empty where it does not say. */
  readonly baseUrlOf: (self: unknown) => string;
}

export function captureOf(request: ApiRequest): MethodCapture {
  const { library, opName, kind, provider, baseUrlOf } = request;
  return {
    library,
    opName,
    describe: (self, [body]) => ({
      inputs: body,
      options: { kind, attributes: { provider, ...hostOf(baseUrlOf(self)) } },
    }),
    begin: (call, method) => beginRequest(request, call, method),
  };
}

function beginRequest(request: ApiRequest, call: RecordedCall, { self, args, send }: MethodRequest): Watch {
  const question = request.mustAskForUsage === true ? askForUsage(request.baseUrlOf(self), args) : undefined;
  const exchange = new Exchange(request, call, question, args);
  return {
    args: question?.args ?? args,
    watch(result) {
      if (!isApiPromise(result)) return exchange.takePlain(result);
      watchApiPromise(result, {
        call,
        onParsed: (value) => exchange.take(value),
        onFailed: (error) => failCall(call, error),
        onRefused(error) {
          if (question === undefined || guarded(request, () => question.isRefusedBy(error)) !== true) return undefined;
          return sendAsItWas(send, args, question);
        },
        onRawWanted: () => question?.withdraw(),
        onRaw: (response) => exchange.takeRaw(response),
      });
      return result;
    },
  };
}

/** Without what we have added. */
async function sendAsItWas(
  send: MethodRequest['send'],
  args: readonly unknown[],
  question: UsageQuestion,
): Promise<unknown> {
  const result = send(args);
  if (!isApiPromise(result)) throw new TypeError('Cannot make the request again: the library answers no promise');
  const response = await result.responsePromise;
  question.remember();
  return response;
}

/** The response, in whichever form the program reads it. */
class Exchange {
  readonly #request: ApiRequest;
  readonly #call: RecordedCall;
  readonly #question: UsageQuestion | undefined;
  readonly #model: string;
  #hasUsage = false;

  constructor(
    request: ApiRequest,
    call: RecordedCall,
    question: UsageQuestion | undefined,
    [body]: readonly unknown[],
  ) {
    this.#request = request;
    this.#call = call;
    this.#question = question;
    const model = isObject(body) ? body['model'] : undefined;
    this.#model = typeof model === 'string' ? model : 'unknown';
  }

  /** Answers what the program gets. */
  take(value: unknown): unknown {
    guarded(this.#request, () => {
      if (isEventStream(value)) this.#takeStream(value);
      else if (isIterable(value)) this.#takeStrangeStream(value);
      else this.#takeWhole(value);
    });
    return value;
  }

  /** Of a library with promises and generators of the language, or of a stand-in for one in tests. */
  takePlain(result: unknown): unknown {
    if (types.isPromise(result) && isPlainPromise(result)) {
      return observePromise(this.#call, {}, result, false, (_call, _options, value) => this.#takeSettled(value));
    }
    this.#takeSettled(result);
    return result;
  }

  #takeSettled(value: unknown): void {
    const { newFold } = this.#request;
    if (newFold !== undefined && isAsyncGenerator(value)) watchGenerator(value, this.#watchOf(newFold()));
    else observe(this.#call, this.#asOfAnyLibrary(), value, false);
  }

  #asOfAnyLibrary(): UntypedOptions {
    const { usageOf, newFold, recordedOf } = this.#request;
    const usage = (output: unknown) => usageOf(output, this.#model);
    const options = recordedOf === undefined ? { usage } : { usage, output: recordedOf };
    if (newFold === undefined) return options;
    const aggregate = (events: readonly unknown[]): unknown => {
      const fold = newFold();
      for (const event of events) fold.add(event);
      return fold.value();
    };
    return { ...options, aggregate };
  }

  takeRaw(response: unknown): void {
    guarded(this.#request, () => {
      const { newFold } = this.#request;
      const aggregate = aggregateFor(response, { newFold, onValue: (value) => this.#takeUsage(value) });
      observe(this.#call, aggregate === undefined ? {} : { aggregate }, response, false);
    });
  }

  #takeStream(stream: Parameters<typeof watchEventStream>[0]): void {
    const { newFold } = this.#request;
    if (newFold === undefined) {
      observe(this.#call, {}, stream, false);
      return;
    }
    const question = this.#question;
    const show = question && ((event: unknown) => question.show(event));
    watchEventStream(stream, { ...this.#watchOf(newFold()), show });
  }

  #watchOf(fold: Fold): GeneratorWatch {
    return {
      call: this.#call,
      fold,
      onEnd: (value) => this.#takeUsage(value),
      failureOf: (value) => this.#request.failureOf?.(value),
      guard: (action) => guarded(this.#request, action),
    };
  }

  /** The stream that the program asked for is there, but not in the shape that we know. */
  #takeStrangeStream(stream: object): void {
    const { library, opName } = this.#request;
    reportOfLibrary(
      'capture-changed',
      library,
      `Cannot capture all of "${library}"`,
      `streams of "${opName}" are made otherwise`,
    );
    observe(this.#call, this.#asOfAnyLibrary(), stream, false);
  }

  #takeWhole(value: unknown): void {
    this.#takeUsage(value);
    const failure = this.#request.failureOf?.(value);
    if (failure !== undefined) failCall(this.#call, failure, captureOutput(this.#call, {}, value));
    // Sound comes as a response that the program reads by itself.
    else if (isResponseLike(value)) observe(this.#call, {}, value, false);
    else endCall(this.#call, {}, value);
  }

  #takeUsage(value: unknown): void {
    if (this.#hasUsage) return;
    const usage = this.#request.usageOf(value, this.#model);
    if (usage === undefined) return;
    this.#hasUsage = true;
    recordUsage(this.#call, usage.model, usage);
  }
}

function isIterable(value: unknown): value is object {
  return isObject(value) && typeof Reflect.get(value, Symbol.asyncIterator) === 'function';
}

function isResponseLike(value: unknown): boolean {
  return isObject(value) && 'body' in value && typeof value['clone'] === 'function';
}

function hostOf(baseUrl: string): { readonly host?: string } {
  return URL.canParse(baseUrl) ? { host: new URL(baseUrl).host } : {};
}
