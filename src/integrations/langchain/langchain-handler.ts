import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { CallKind } from '../../tracing/instrument.ts';
import { guarded } from '../api/covered-method.ts';
import { memberOf, textOf } from '../api/json-object.ts';
import { endRun, failRun, hideRun, noteChunk, startRun } from './langchain-runs.ts';
import { bindContext } from './langchain-context.ts';
import { generationsOf, namedInputs, plain, toolInputs, usageOfResult } from './langchain-values.ts';

/** Beside it no second one of these is added. */
export const HANDLER_NAME = 'spoor';

/** LangChain marks runs that are only its own work. */
const HIDDEN = 'langsmith:hidden';

type Tags = readonly string[] | undefined;
type Metadata = Readonly<Record<string, unknown>> | undefined;

interface Told {
  readonly kind: CallKind;
  readonly serialized: unknown;
  readonly runId: string;
  readonly parentRunId: string | undefined;
  readonly tags: Tags;
  readonly metadata: Metadata;
  readonly runName: string | undefined;
  readonly inputs: () => unknown;
  readonly model?: string | undefined;
}

/**
 * Records the runs of LangChain and LangGraph: chains, graphs, models, tools, retrievers. Under `spoor/register` it is there
 * by itself; elsewhere it is given to what runs. Twice, it changes nothing.
 *
 * @example
 * await chain.invoke(question, { callbacks: [new SpoorCallbackHandler()] });
 */
export class SpoorCallbackHandler {
  readonly name = HANDLER_NAME;
  readonly ignoreLLM = false;
  readonly ignoreChain = false;
  readonly ignoreAgent = false;
  readonly ignoreRetriever = false;
  readonly ignoreCustomEvent = true;
  readonly raiseError = false;
  /** At once, in the order of events: nothing here waits. */
  readonly awaitHandlers = true;

  constructor() {
    bindContext();
  }

  copy(): this {
    return this;
  }

  handleChainStart(
    serialized: unknown,
    inputs: unknown,
    runId: string,
    parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    _runType?: string,
    runName?: string,
  ): void {
    const kind = runName === 'LangGraph' || runName === 'AgentExecutor' ? 'agent' : 'chain';
    start({ kind, serialized, runId, parentRunId, tags, metadata, runName, inputs: () => namedInputs(inputs) });
  }

  handleChainEnd(outputs: unknown, runId: string): void {
    guard('handleChainEnd', () => endRun(runId, plain(outputs)));
  }

  handleChainError(error: unknown, runId: string): void {
    fail(error, runId);
  }

  handleLLMStart(
    serialized: unknown,
    prompts: string[],
    runId: string,
    parentRunId?: string,
    extra?: Record<string, unknown>,
    tags?: string[],
    metadata?: Record<string, unknown>,
    runName?: string,
  ): void {
    const given = () => ({ prompts });
    startModel({ serialized, runId, parentRunId, tags, metadata, runName, extra, given });
  }

  handleChatModelStart(
    serialized: unknown,
    messages: unknown[][],
    runId: string,
    parentRunId?: string,
    extra?: Record<string, unknown>,
    tags?: string[],
    metadata?: Record<string, unknown>,
    runName?: string,
  ): void {
    const given = () => ({ messages: plain(messages.length === 1 ? messages[0] : messages) });
    startModel({ serialized, runId, parentRunId, tags, metadata, runName, extra, given });
  }

  handleLLMNewToken(_token: string, _index: unknown, runId: string): void {
    guard('handleLLMNewToken', () => noteChunk(runId));
  }

  handleLLMEnd(output: unknown, runId: string): void {
    guard('handleLLMEnd', () => endRun(runId, generationsOf(output), (asked) => usageOfResult(output, asked)));
  }

  handleLLMError(error: unknown, runId: string): void {
    fail(error, runId);
  }

  handleToolStart(
    serialized: unknown,
    input: string,
    runId: string,
    parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    runName?: string,
  ): void {
    start({ kind: 'tool', serialized, runId, parentRunId, tags, metadata, runName, inputs: () => toolInputs(input) });
  }

  handleToolEnd(output: unknown, runId: string): void {
    guard('handleToolEnd', () => endRun(runId, plain(output)));
  }

  handleToolError(error: unknown, runId: string): void {
    fail(error, runId);
  }

  handleRetrieverStart(
    serialized: unknown,
    query: string,
    runId: string,
    parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    runName?: string,
  ): void {
    start({ kind: 'retriever', serialized, runId, parentRunId, tags, metadata, runName, inputs: () => ({ query }) });
  }

  handleRetrieverEnd(documents: unknown, runId: string): void {
    guard('handleRetrieverEnd', () => endRun(runId, plain(documents)));
  }

  handleRetrieverError(error: unknown, runId: string): void {
    fail(error, runId);
  }
}

function start({ kind, serialized, runId, parentRunId, tags, metadata, runName, inputs, model }: Told): void {
  guard('start', () => {
    if (tags?.includes(HIDDEN) === true) {
      hideRun(runId, parentRunId);
      return;
    }
    startRun({
      runId,
      parentRunId,
      name: runName ?? nameOf(serialized) ?? kind,
      inputs: inputs(),
      options: { kind, attributes: attributesOf(tags, metadata) },
      ...(model === undefined ? {} : { model }),
    });
  });
}

interface ModelTold extends Omit<Told, 'kind' | 'inputs' | 'model'> {
  /** Has the parameters of the request. */
  readonly extra: Readonly<Record<string, unknown>> | undefined;
  readonly given: () => ParsedObject;
}

function startModel({ extra, given, ...told }: ModelTold): void {
  guard('start', () => {
    const asked = parametersOf(extra);
    start({ ...told, kind: 'llm', inputs: () => ({ ...given(), ...asked }), model: modelOf(asked, told.metadata) });
  });
}

/** A signal that a graph throws to wait, or to go on elsewhere, is no error. */
function fail(error: unknown, runId: string): void {
  guard('error', () => {
    if (isObject(error) && error['is_bubble_up'] === true) endRun(runId, { interrupted: error['name'] });
    else failRun(runId, error);
  });
}

/** The last part of where a class is found. */
function nameOf(serialized: unknown): string | undefined {
  const id: unknown = isObject(serialized) ? serialized['id'] : undefined;
  return Array.isArray(id) ? textOf(id.at(-1)) : undefined;
}

function attributesOf(tags: Tags, metadata: Metadata): ParsedObject {
  const { ls_provider: provider, langgraph_node: node, langgraph_step: step, thread_id: thread } = metadata ?? {};
  const own = { provider, langgraph_node: node, langgraph_step: step, langgraph_thread: thread };
  const told = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  return tags === undefined || tags.length === 0 ? told : { ...told, tags };
}

/** The parameters that the request has beside its messages. */
function parametersOf(extra: Readonly<Record<string, unknown>> | undefined): ParsedObject {
  const asked = memberOf(extra, 'invocation_params') ?? {};
  return Object.fromEntries(Object.entries(asked).filter(([key, value]) => value !== undefined && key !== 'messages'));
}

function modelOf(asked: ParsedObject, metadata: Metadata): string | undefined {
  return textOf(asked['model']) ?? textOf(asked['model_name']) ?? textOf(metadata?.['ls_model_name']);
}

function guard(event: string, action: () => void): void {
  guarded({ library: '@langchain/core', opName: event }, action);
}
