import { isObject } from '../../protocol/values/parsed-object.ts';
import type { Attributes, AttributeValue } from '@opentelemetry/api';
import { isId } from '../../protocol/values/id.ts';
import { opNameOf } from '../../protocol/ref.ts';
import type { RecordedEnd, RecordedStart } from '../../protocol/record.ts';
import type { UsageSum } from '../../tracing/instrument.ts';
import { messagesOfInputs, messagesOfOutput } from './gen-ai-messages.ts';

/** https://opentelemetry.io/docs/specs/semconv/gen-ai/: the operation that a kind of call is. */
const OPERATIONS: Readonly<Record<string, string>> = {
  llm: 'chat',
  embedding: 'embeddings',
  tool: 'execute_tool',
  agent: 'invoke_agent',
};

/** Parameters of requests that have a name in the conventions. */
const PARAMETERS: Readonly<Record<string, string>> = {
  model: 'gen_ai.request.model',
  temperature: 'gen_ai.request.temperature',
  top_p: 'gen_ai.request.top_p',
  top_k: 'gen_ai.request.top_k',
  max_tokens: 'gen_ai.request.max_tokens',
  max_completion_tokens: 'gen_ai.request.max_tokens',
  max_output_tokens: 'gen_ai.request.max_tokens',
  frequency_penalty: 'gen_ai.request.frequency_penalty',
  presence_penalty: 'gen_ai.request.presence_penalty',
  seed: 'gen_ai.request.seed',
};

/** Attributes of ours that go by another name, or are of this library. */
const RENAMED = ['svc', 'kind', 'provider', 'host'];

interface ContentOption {
  readonly content: boolean;
}

export function attributesAtStart(start: RecordedStart, { content }: ContentOption): Attributes {
  const { kind, provider, host } = start.attributes;
  const name = opNameOf(start.op_name);
  return {
    ...plain(start.attributes),
    'gen_ai.operation.name': OPERATIONS[String(kind)],
    'gen_ai.provider.name': textOf(provider),
    'gen_ai.conversation.id': start.thread_id,
    'gen_ai.tool.name': kind === 'tool' ? name : undefined,
    'gen_ai.agent.name': kind === 'agent' ? name : undefined,
    ...serverOf(textOf(host)),
    ...(kind === 'llm' || kind === 'embedding' ? parametersOf(start.inputs) : {}),
    ...(content ? contentAtStart(start, kind) : {}),
  };
}

export function attributesAtEnd(
  { output, summary }: RecordedEnd,
  kind: unknown,
  { content }: ContentOption,
): Attributes {
  const later = summary['attributes'];
  return {
    ...(isObject(later) ? plain(later) : {}),
    ...(kind === 'llm' && isObject(output) ? responseOf(output) : {}),
    ...(content && output !== null ? contentAtEnd(output, kind) : {}),
  };
}

/** The conventions count all tokens of a request as input, those out of a cache too. */
export function usageAttributes(model: string, usage: UsageSum): Attributes {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens } = usage;
  return {
    'gen_ai.response.model': model,
    'gen_ai.usage.input_tokens': input_tokens + (cache_read_tokens ?? 0) + (cache_write_tokens ?? 0),
    'gen_ai.usage.output_tokens': output_tokens + (reasoning_tokens ?? 0),
    'gen_ai.usage.cache_read.input_tokens': cache_read_tokens,
    'gen_ai.usage.cache_creation.input_tokens': cache_write_tokens,
  };
}

/** The text of an exception, as the event that the conventions want. */
export function exceptionEvent(exception: string): { type: string; message: string; attributes: Attributes } {
  const [first = ''] = exception.split('\n', 1);
  const [, name, told] = /^([\w$.]+): (.*)$/.exec(first) ?? [];
  const type = name ?? 'Error';
  const message = told ?? first;
  return {
    type,
    message,
    attributes: { 'exception.type': type, 'exception.message': message, 'exception.stacktrace': exception },
  };
}

function parametersOf(inputs: RecordedStart['inputs']): Attributes {
  const found = Object.entries(PARAMETERS).filter(([name]) => ['string', 'number'].includes(typeof inputs[name]));
  return Object.fromEntries(found.map(([name, key]) => [key, inputs[name] as string | number]));
}

function responseOf({ id, choices, stop_reason: stopReason }: Readonly<Record<string, unknown>>): Attributes {
  const ofChoices = Array.isArray(choices)
    ? choices.map((choice: unknown) => isObject(choice) && choice['finish_reason'])
    : [];
  const reasons = [...ofChoices, stopReason].filter((reason) => typeof reason === 'string');
  return {
    'gen_ai.response.id': typeof id === 'string' && isId(id) ? id : undefined,
    'gen_ai.response.finish_reasons': reasons.length === 0 ? undefined : reasons,
  };
}

function contentAtStart({ inputs }: RecordedStart, kind: unknown): Attributes {
  if (kind === 'tool') return { 'gen_ai.tool.call.arguments': JSON.stringify(inputs) };
  const messages = kind === 'llm' ? messagesOfInputs(inputs) : undefined;
  if (messages !== undefined) return { 'gen_ai.input.messages': JSON.stringify(messages) };
  return { 'input.value': JSON.stringify(inputs), 'input.mime_type': 'application/json' };
}

function contentAtEnd(output: unknown, kind: unknown): Attributes {
  if (kind === 'tool') return { 'gen_ai.tool.call.result': JSON.stringify(output) };
  const messages = kind === 'llm' ? messagesOfOutput(output) : undefined;
  if (messages !== undefined) return { 'gen_ai.output.messages': JSON.stringify(messages) };
  return { 'output.value': JSON.stringify(output), 'output.mime_type': 'application/json' };
}

function serverOf(host: string | undefined): Attributes {
  const url = host === undefined || !URL.canParse(`http://${host}`) ? undefined : new URL(`http://${host}`);
  if (url === undefined) return {};
  return { 'server.address': url.hostname, 'server.port': url.port === '' ? undefined : Number(url.port) };
}

/** The attributes of the program itself: spans know texts, numbers, truths and lists of these. */
function plain(attributes: Readonly<Record<string, unknown>>): Attributes {
  const own = Object.entries(attributes).filter(([key, value]) => !RENAMED.includes(key) && value !== null);
  return Object.fromEntries(own.map(([key, value]) => [key, isPlain(value) ? value : JSON.stringify(value)]));
}

function isPlain(value: unknown): value is AttributeValue {
  return ['string', 'number', 'boolean'].includes(typeof value) || isTexts(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
