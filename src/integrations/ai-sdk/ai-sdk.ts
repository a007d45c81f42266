// docs/decisions/0024-ai-sdk-is-captured-at-its-functions.md says why.
import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
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
import { captureModel, MODEL_CAPTURES, nameOfModel } from './ai-model.ts';
import { foldParts } from './ai-stream.ts';
import { captureTools, TOOL_OP } from './ai-tools.ts';
import { aiUsage, type AskedModel } from './ai-usage.ts';
import { noteFound, type Origin } from '../api/capture-library.ts';
import { coverWithCapture, guarded, type MethodCapture } from '../api/covered-method.ts';
import { watchReadable } from '../api/event-stream.ts';
import { objectsIn } from '../api/json-object.ts';

const FUNCTIONS = ['generateText', 'streamText', 'generateObject', 'streamObject', 'embed', 'embedMany'] as const;

/** The class has another name in version 5. */
const AGENT_CLASSES = ['ToolLoopAgent', 'Experimental_Agent'] as const;

const AGENT_METHODS = ['generate', 'stream'] as const;

const FUNCTION_OPS = FUNCTIONS.map((name) => ({ name, opName: `ai.${name}`, kind: 'chain' }) as const);

const AGENT_OPS = AGENT_METHODS.map((name) => ({ name, opName: `ai.Agent.${name}`, kind: 'agent' }) as const);

/**
 * The same for everybody who has the package, with what models and tools do below.
 *
 * @internal
 */
export const AI_SDK = { name: 'ai', methods: [...FUNCTION_OPS, ...AGENT_OPS, ...MODEL_CAPTURES, TOOL_OP] } as const;

/** The compiler takes a class for one that can be mixed in only where its constructor has exactly this list of arguments. */
// oxlint-disable-next-line typescript/no-explicit-any
type AgentClass = new (...args: any[]) => object;

/**
 * Answers the functions of the `ai` package so that their calls are recorded, with the requests of models and the calls of
 * tools below them; agents are recorded too. Beside `spoor/register`, or twice, it changes nothing.
 *
 * @example
 * import * as ai from 'ai';
 * const { generateText } = wrapAISDK(ai);
 */
export function wrapAISDK<Module extends object>(module: Module): Module {
  if (!isObject(module)) throw new TypeError('Cannot wrap a module: want what "ai" exports');
  const copy = withOwnAgent(copyOf(module));
  captureIn(copy, { hook: 'wrap', version: undefined });
  return copy as Module;
}

/**
 * The exports of the module `ai`. Where they cannot be changed, the answer is to stand in for them.
 *
 * @internal
 */
export function captureAISDK(exported: unknown, origin: Origin): unknown {
  if (!isObject(exported)) throw new TypeError('It exports nothing');
  const target = origin.hook === 'import' ? exported : copyOf(exported);
  captureIn(target, origin);
  return target;
}

/** The exports of a CommonJS file are getters here that cannot be replaced. */
function copyOf(exported: ParsedObject): ParsedObject {
  const copy = Object.create(Object.getPrototypeOf(exported) as object | null) as ParsedObject;
  for (const [key, { enumerable }] of Object.entries(Object.getOwnPropertyDescriptors(exported))) {
    const value: unknown = exported[key];
    Object.defineProperty(copy, key, { value, enumerable: enumerable ?? false, configurable: true, writable: true });
  }
  return copy;
}

function agentIn(exported: ParsedObject): AgentClass | undefined {
  return AGENT_CLASSES.map((name) => exported[name]).find((found): found is AgentClass => typeof found === 'function');
}

/** A wrapped module has a class of its own, as the agents of others are none of its business. */
function withOwnAgent(copy: ParsedObject): ParsedObject {
  const Agent = agentIn(copy);
  if (Agent === undefined) return copy;
  const Own = class extends Agent {};
  Object.defineProperty(Own, 'name', { value: Agent.name, configurable: true });
  for (const name of AGENT_CLASSES) if (copy[name] === Agent) copy[name] = Own;
  return copy;
}

function captureIn(exported: ParsedObject, origin: Origin): void {
  const prototype: unknown = agentIn(exported)?.prototype;
  const functions = FUNCTION_OPS.map((op) => ({ ...op, target: exported }));
  const methods = AGENT_OPS.map((op) => ({ ...op, target: prototype }));
  const isCaptured = ({ name, target, opName, kind }: CapturedOp): boolean =>
    isObject(target) && coverWithCapture(target, name, captureOf(opName, kind));
  const [captured, missing] = partition([...functions, ...methods], isCaptured);
  const below = captured.length === 0 ? [] : [...MODEL_CAPTURES, TOOL_OP];
  noteFound(AI_SDK.name, origin, {
    ops: [...captured, ...below].map(({ opName }) => opName),
    missing: missing.map(({ name }) => name),
  });
}

interface CapturedOp {
  readonly name: string;
  readonly target: unknown;
  readonly opName: string;
  readonly kind: CallKind;
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const parts: [Item[], Item[]] = [[], []];
  for (const item of items) parts[isFirst(item) ? 0 : 1].push(item);
  return parts;
}

function captureOf(opName: string, kind: CallKind): MethodCapture {
  const capture: Pick<MethodCapture, 'library' | 'opName'> = { library: 'ai', opName };
  return {
    ...capture,
    describe: (self, [asked]) => ({ inputs: inputsOf(self, asked), options: { kind } }),
    begin(call, { self, args }) {
      const { model, tools, abortSignal } = settingsOf(self, args[0]);
      const isSeen = guarded(capture, () => captureModel(model)) === true;
      guarded(capture, () => captureTools(tools));
      const signal = abortSignal instanceof AbortSignal ? abortSignal : undefined;
      const asking: Asked = { call, capture, unseen: isSeen ? undefined : nameOfModel(model), signal };
      const take = (value: unknown): void => {
        if (guarded(capture, () => watchResult(asking, value)) === true) return;
        guarded(capture, () => stepsOf(value).forEach((step) => recordStep(asking, step)));
        endCall(call, { output: outputOf }, value);
      };
      return {
        args,
        watch(result) {
          if (types.isPromise(result)) {
            if (!isPlainPromise(result)) return observe(call, { output: outputOf }, result, false);
            return observePromise(call, {}, result, false, (_call, _options, value) => take(value));
          }
          take(result);
          return result;
        },
      };
    },
  };
}

/** An agent has most of it from when it was made. */
function settingsOf(self: unknown, asked: unknown): ParsedObject {
  const settings = isObject(self) && isObject(self['settings']) ? self['settings'] : {};
  return { ...settings, ...(isObject(asked) ? asked : {}) };
}

/** Schemas and tools as the model gets them stand at its request. */
function inputsOf(self: unknown, asked: unknown): unknown {
  const { model, tools, schema: _schema, output, headers: _headers, ...rest } = settingsOf(self, asked);
  return {
    model: nameOfModel(model).modelId,
    ...rest,
    ...(typeof output === 'string' && { output }),
    ...(isObject(tools) && { tools: Object.keys(tools) }),
  };
}

interface Asked {
  readonly call: RecordedCall;
  readonly capture: Pick<MethodCapture, 'library' | 'opName'>;
  /** A model whose requests nobody sees. */
  readonly unseen: AskedModel | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A result that is a stream is read by several properties, all of which begin with this one. */
function watchResult(asked: Asked, result: unknown): boolean {
  const { call, capture, signal } = asked;
  const stream = isObject(result) ? result['baseStream'] : undefined;
  if (!(stream instanceof ReadableStream)) return false;
  const fold = foldParts();
  const watch = {
    call,
    fold: { add: (event: unknown) => fold.add(event), value: () => outputOf(fold.value()) },
    onEnd: () => fold.steps().forEach((step) => recordStep(asked, step)),
    failureOf: () => fold.failure(),
    isWhole: () => fold.isWhole(),
    guard: (action: () => void) => guarded(capture, action),
  };
  return watchReadable(stream, watch, signal);
}

/** Tokens are told at the request of the model, where that is seen. */
function recordStep({ call, unseen }: Asked, step: ParsedObject): void {
  const usage = unseen && aiUsage(step, unseen);
  if (usage !== undefined) recordUsage(call, usage.model, usage);
}

function stepsOf(result: unknown): readonly ParsedObject[] {
  if (!isObject(result)) return [];
  return Array.isArray(result['steps']) ? objectsIn(result['steps']) : [result];
}

/** The answer, of all steps. */
function outputOf(result: unknown): unknown {
  if (!isObject(result)) return result;
  const { finishReason, steps } = result;
  if (Array.isArray(steps)) return { content: objectsIn(steps).flatMap((step) => step['content']), finishReason };
  const members = result['object'] === undefined ? ['content', 'embedding', 'embeddings'] : ['object'];
  const told = [...members, 'finishReason'].filter((key) => result[key] !== undefined);
  return Object.fromEntries(told.map((key) => [key, result[key]]));
}
