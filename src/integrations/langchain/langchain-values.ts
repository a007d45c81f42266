import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { ModelUsage } from '../../tracing/instrument.ts';
import { countOf, memberOf, textOf } from '../api/json-object.ts';

/** Members of a message that say something; all others are about its class. */
const MESSAGE_MEMBERS = ['content', 'name', 'id', 'tool_calls', 'tool_call_id', 'status', 'artifact'];
const MAX_DEPTH = 4;

/** A value without the classes of LangChain: messages and documents as plain objects. */
export function plain(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((each) => plain(each, depth + 1));
  const type = messageTypeOf(value);
  if (type !== undefined) return messageOf(value as ParsedObject, type);
  if ('toChatMessages' in value && 'messages' in value) return plain(value.messages, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return documentOf(value as ParsedObject) ?? value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member, depth + 1)]));
}

/** `human`, `ai`, `tool` and the like; versions differ in how they tell it. */
function messageTypeOf(value: object): string | undefined {
  const { getType, _getType: before } = value as { getType?: unknown; _getType?: unknown };
  const ask = typeof getType === 'function' ? getType : before;
  if (typeof ask !== 'function' || !('content' in value)) return undefined;
  return textOf(Reflect.apply(ask, value, []));
}

function messageOf(message: ParsedObject, type: string): ParsedObject {
  const said = MESSAGE_MEMBERS.filter((member) => !isEmpty(message[member]));
  return { type, ...Object.fromEntries(said.map((member) => [member, message[member]])) };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function documentOf({ pageContent, metadata, id }: ParsedObject): ParsedObject | undefined {
  if (typeof pageContent !== 'string') return undefined;
  return { pageContent, metadata, ...(id === undefined ? {} : { id }) };
}

/** Inputs are recorded by name. */
export function namedInputs(inputs: unknown): ParsedObject {
  const value = plain(inputs);
  return isObject(value) && !('content' in value && 'type' in value) ? value : { input: value };
}

/** The inputs of a tool, which come as JSON. */
export function toolInputs(text: unknown): ParsedObject {
  try {
    const value: unknown = JSON.parse(String(text));
    return isObject(value) ? value : { input: text };
  } catch {
    return { input: text };
  }
}

/** The answer of a model: its message, else its text. */
export function generationsOf(result: unknown): unknown {
  const lists = isObject(result) && Array.isArray(result['generations']) ? (result['generations'] as unknown[]) : [];
  const all = lists.flat().map((each) => (isObject(each) ? plain(each['message'] ?? each['text']) : each));
  return all.length === 1 ? all[0] : all;
}

/** The tokens that a model tells, under the model that answered. */
export function usageOfResult(result: unknown, asked: string): ModelUsage | undefined {
  const [generation] = ((result as ParsedObject)['generations'] as unknown[] | undefined)?.flat() ?? [];
  const message = memberOf(generation, 'message');
  const about = memberOf(message, 'response_metadata');
  const output = memberOf(result, 'llmOutput');
  const model = textOf(about?.['model_name']) ?? textOf(about?.['model']) ?? textOf(output?.['model_name']) ?? asked;
  const told = memberOf(message, 'usage_metadata');
  if (told !== undefined) return { model, ...bucketsOf(told), raw: told };
  const whole = memberOf(output, 'tokenUsage');
  if (whole === undefined || countOf(whole['promptTokens']) + countOf(whole['completionTokens']) === 0)
    return undefined;
  return { model, input: countOf(whole['promptTokens']), output: countOf(whole['completionTokens']), raw: whole };
}

/** Details are parts of the two sums. */
function bucketsOf(told: ParsedObject): Omit<ModelUsage, 'model'> {
  const input = memberOf(told, 'input_token_details');
  const output = memberOf(told, 'output_token_details');
  const cacheRead = countOf(input?.['cache_read']);
  const cacheWrite = countOf(input?.['cache_creation']);
  const reasoning = countOf(output?.['reasoning']);
  return {
    input: Math.max(0, countOf(told['input_tokens']) - cacheRead - cacheWrite),
    output: Math.max(0, countOf(told['output_tokens']) - reasoning),
    cacheRead,
    cacheWrite,
    reasoning,
  };
}
