import { isObject } from '../../protocol/values/parsed-object.ts';
import { types } from 'node:util';
import {
  type CallKind,
  endCall,
  isPlainPromise,
  observe,
  observePromise,
  type RecordedCall,
  recordUsage,
} from '../../tracing/instrument.ts';
import { foldParts } from './ai-stream.ts';
import { aiUsage, type AskedModel } from './ai-usage.ts';
import { coverWithCapture, guarded, type MethodCapture } from '../api/covered-method.ts';
import { watchReadable } from '../api/event-stream.ts';
import { memberOf, textOf } from '../api/json-object.ts';

const METHODS: Readonly<Record<string, CallKind>> = { doGenerate: 'llm', doStream: 'llm', doEmbed: 'embedding' };

export interface ModelCapture extends MethodCapture {
  readonly method: string;
  readonly kind: CallKind;
}

export const MODEL_CAPTURES: readonly ModelCapture[] = Object.entries(METHODS).map(([method, kind]) => ({
  method,
  kind,
  ...captureOf(method, kind),
}));

/**
 * Records the requests of a model, whoever has made it: the package of a provider, a gateway, a test. Answers `false` for
 * the mere name of one, and for one that cannot be changed.
 */
export function captureModel(model: unknown): boolean {
  if (!isObject(model)) return false;
  const cover = (capture: ModelCapture) => guarded(capture, () => coverWithCapture(model, capture.method, capture));
  const covered = MODEL_CAPTURES.filter((capture) => cover(capture) === true);
  return covered.length > 0;
}

export function nameOfModel(model: unknown): AskedModel {
  if (!isObject(model)) return { provider: 'gateway', modelId: textOf(model) ?? 'unknown' };
  return { provider: textOf(model['provider']) ?? 'unknown', modelId: textOf(model['modelId']) ?? 'unknown' };
}

function captureOf(method: string, kind: CallKind): MethodCapture {
  const capture: Pick<MethodCapture, 'library' | 'opName'> = { library: 'ai', opName: `ai.${method}` };
  return {
    ...capture,
    isRequest: true,
    describe(self, [asked]) {
      const { provider, modelId } = nameOfModel(self);
      return { inputs: inputsOf(modelId, asked), options: { kind, attributes: { provider } } };
    },
    begin: (call, { self, args }) => ({
      args,
      watch(result) {
        const model = nameOfModel(self);
        const options = { usage: (output: unknown) => aiUsage(output, model), output: withoutBodies };
        if (!types.isPromise(result) || !isPlainPromise(result)) return observe(call, options, result, false);
        return observePromise(call, options, result, false, (_call, _options, value) => {
          const isWatched = guarded(capture, () => watchModelStream(call, capture, model, memberOf(value, 'stream')));
          if (isWatched !== true) endCall(call, options, value);
        });
      },
    }),
  };
}

/** Headers say nothing about the request that is not said elsewhere, and may be keys of any name. */
function inputsOf(modelId: string, asked: unknown): unknown {
  if (!isObject(asked)) return asked;
  const { headers: _headers, ...rest } = asked;
  return { model: modelId, ...rest };
}

function watchModelStream(
  call: RecordedCall,
  capture: Pick<MethodCapture, 'library' | 'opName'>,
  model: AskedModel,
  stream: unknown,
): boolean {
  if (!(stream instanceof ReadableStream)) return false;
  const fold = foldParts();
  return watchReadable(stream, {
    call,
    fold,
    onEnd(value) {
      const usage = aiUsage(value, model);
      if (usage !== undefined) recordUsage(call, usage.model, usage);
    },
    failureOf: () => fold.failure(),
    isWhole: () => fold.isWhole(),
    guard: (action) => guarded(capture, action),
  });
}

/** The answer of the model. The request and the response as they were sent are the same once more. */
function withoutBodies(output: unknown): unknown {
  if (!isObject(output)) return output;
  const { request: _request, rawResponse: _raw, response, ...rest } = output;
  if (!isObject(response)) return rest;
  const { body: _body, headers: _headers, ...told } = response;
  return { ...rest, response: told };
}
