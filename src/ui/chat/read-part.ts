import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { ChatPart, ToolCallPart, ToolResultPart } from './chat.ts';
import { mediaPartOf } from './read-media.ts';
import { firstOf, listOf, parsedOrText, textOf, without, wordOf } from '../json/read-json.ts';

/** The parts of a message, from any shape it is recorded in. Nothing is left out: what is not known stays JSON. */
export function partsOf(content: unknown): ChatPart[] {
  if (content === undefined || content === null || content === '') return [];
  const list = listOf(content);
  return (list ?? [content]).flatMap((part) => {
    const read = partOf(part);
    return read.type === 'text' && isObject(part) ? [read, ...besideText(part)] : [read];
  });
}

/** Members of a text that say nothing to a reader: what it is, and marks of the provider for itself. */
const AROUND_TEXT = new Set([
  'type',
  'text',
  'content',
  'output_text',
  'input_text',
  'id',
  'index',
  'logprobs',
  'signature',
  'thoughtSignature',
  'cache_control',
  'message_content',
]);

/** Citations and the like. */
function besideText(part: ParsedObject): ChatPart[] {
  const rest = Object.entries(without(part, AROUND_TEXT)).filter(([, value]) => value !== null && !isEmpty(value));
  return rest.length === 0 ? [] : [{ type: 'other', value: Object.fromEntries(rest) }];
}

export function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function partOf(value: unknown): ChatPart {
  if (typeof value === 'string') return { type: 'text', text: value };
  if (!isObject(value)) return { type: 'other', value };
  return (
    wrappedPartOf(value) ??
    toolCallOf(value) ??
    toolResultOf(value) ??
    reasoningOf(value) ??
    mediaPartOf(value) ??
    refusalOf(value) ??
    saidOf(value) ?? { type: 'other', value }
  );
}

/** OpenInference puts each part into an object of its own. */
function wrappedPartOf(value: ParsedObject): ChatPart | undefined {
  const inner = value['message_content'];
  return isObject(inner) && Object.keys(value).length === 1 ? partOf(inner) : undefined;
}

function saidOf(value: ParsedObject): ChatPart | undefined {
  const text = firstOf(value, 'text', 'content', 'output_text', 'input_text');
  const { type } = value;
  if (typeof text !== 'string') return undefined;
  if (type !== undefined && !/^(?:text|input_text|output_text|text_delta|summary_text)$/.test(wordOf(type)))
    return undefined;
  return { type: 'text', text };
}

const CALL_TYPES =
  /^(?:tool_use|tool-call|tool_call|function_call|function|custom_tool_call|server_tool_use|mcp_tool_use|mcp_call)$/;

/** A call of a tool as OpenAI, Anthropic, Gemini, the AI SDK, LangChain or an instrumentation writes it. */
export function toolCallOf(value: ParsedObject): ToolCallPart | undefined {
  const inner = firstOf(value, 'functionCall', 'function_call', 'tool_call');
  if (isObject(inner)) return toolCallOf({ type: 'tool_call', id: value['id'], ...inner });
  const called = value['function'] ?? value['custom'];
  if (isObject(called)) return toolCallOf({ ...called, type: 'tool_call', id: firstOf(value, 'id', 'call_id') });
  const { type } = value;
  const name = textOf(firstOf(value, 'name', 'toolName', 'tool_name', 'function.name'));
  const input = firstOf(value, 'input', 'args', 'arguments', 'function.arguments', 'partialArgs');
  if (name === undefined || (type === undefined ? input === undefined : !CALL_TYPES.test(wordOf(type))))
    return undefined;
  return {
    type: 'tool_call',
    id: textOf(firstOf(value, 'call_id', 'id', 'toolCallId', 'tool_call_id', 'tool_call.id')),
    name,
    input: parsedOrText(input ?? {}),
    result: undefined,
  };
}

const RESULT_TYPES =
  /^(?:tool_result|tool-result|tool-error|tool_call_response|function_call_output|custom_tool_call_output|\w+_tool_result)$/;

/** The result of a tool, where it stands as a part of a message. */
export function toolResultOf(value: ParsedObject): ToolResultPart | undefined {
  const inner = value['functionResponse'];
  if (isObject(inner)) return resultOf(inner, inner['response'], false);
  const type = textOf(value['type']);
  if (type === undefined || !RESULT_TYPES.test(type)) return undefined;
  const content = firstOf(value, 'content', 'output', 'result', 'response', 'error');
  const told =
    isObject(content) && /^(?:error-)?(?:text|json|content)$/.test(wordOf(content['type'])) ? content : undefined;
  const isError = value['is_error'] === true || value['isError'] === true || type === 'tool-error';
  return resultOf(
    value,
    told === undefined ? content : told['value'],
    isError || wordOf(told?.['type']).startsWith('error'),
  );
}

function resultOf(value: ParsedObject, content: unknown, isError: boolean): ToolResultPart {
  return {
    type: 'tool_result',
    id: textOf(firstOf(value, 'tool_use_id', 'call_id', 'toolCallId', 'tool_call_id', 'id')),
    name: textOf(firstOf(value, 'name', 'toolName', 'tool_name')),
    parts: resultPartsOf(content),
    isError,
  };
}

/** A text that is JSON is better read as such. Lists are parts only when all of them say what they are. */
export function resultPartsOf(content: unknown): ChatPart[] {
  const value = parsedOrText(content);
  const list = listOf(value);
  const isParts = list?.every((item) => isObject(item) && typeof item['type'] === 'string') ?? false;
  if (isParts) return partsOf(value);
  if (isObject(value)) return [mediaPartOf(value) ?? { type: 'other', value }];
  return list === undefined ? partsOf(value) : [{ type: 'other', value }];
}

const REASONING_TYPES = /^(?:thinking|redacted_thinking|reasoning|reasoning_text|reasoning-part)$/;

function reasoningOf(value: ParsedObject): ChatPart | undefined {
  if (value['thought'] === true && typeof value['text'] === 'string') return { type: 'reasoning', text: value['text'] };
  if (!REASONING_TYPES.test(wordOf(value['type']))) return undefined;
  const texts = [value['summary'], firstOf(value, 'thinking', 'text', 'content', 'reasoning')].flatMap(textsIn);
  return { type: 'reasoning', text: texts.join('\n\n') };
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return (listOf(value) ?? []).flatMap((item) => (isObject(item) ? textsIn(item['text']) : textsIn(item)));
}

function refusalOf(value: ParsedObject): ChatPart | undefined {
  const text = textOf(value['refusal']);
  return text === undefined ? undefined : { type: 'refusal', text };
}
