import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { ChatMessage, ChatPart, ToolResultPart } from './chat.ts';
import { firstOf, listOf, textOf, without } from '../json/read-json.ts';
import { isEmpty, partsOf, resultPartsOf, toolCallOf, toolResultOf } from './read-part.ts';

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  model: 'assistant',
  AIMessageChunk: 'assistant',
  developer: 'system',
  function: 'tool',
};

/** Is this one message of a conversation? */
export function isMessage(value: unknown): value is ParsedObject {
  if (!isObject(value)) return false;
  const inner = value['message'];
  if (isObject(inner) && Object.keys(value).length === 1) return isMessage(inner);
  const hasContent = SAYING.some((name) => value[name] !== undefined);
  if (typeof value['role'] === 'string') return hasContent;
  return hasContent && typeof value['type'] === 'string' && value['type'] in ROLES_OF_TYPES;
}

const SAYING = ['content', 'parts', 'contents', 'tool_calls', 'toolCalls', 'refusal', 'function_call', 'audio'];

/** LangChain says the role as the type of the message. */
const ROLES_OF_TYPES: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  AIMessageChunk: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
  user: 'user',
  assistant: 'assistant',
};

/** Where it stands, and how it ended. */
export interface MessagePlace {
  readonly isOutput: boolean;
  readonly finishReason?: string | undefined;
}

/** Members that are read; all others are shown as what they are. */
const READ = new Set([
  'role',
  'type',
  'content',
  'contents',
  'parts',
  'name',
  'tool_calls',
  'toolCalls',
  'tool_call_id',
  'toolCallId',
  'function_call',
  'refusal',
  'reasoning_content',
  'reasoning',
  'finish_reason',
  'finishReason',
  'stop_reason',
  'id',
  'status',
  'annotations',
  'response_metadata',
  'usage',
  'model',
  'stop_sequence',
]);

/** One message of any of the shapes. */
export function messageOf(told: ParsedObject, place: MessagePlace): ChatMessage {
  const inner = told['message'];
  if (isObject(inner) && Object.keys(told).length === 1) return messageOf(inner, place);
  const role = roleOf(told);
  const finish = firstOf(told, 'finish_reason', 'finishReason', 'stop_reason');
  return {
    role,
    name: textOf(told['name']),
    parts: role === 'tool' && !hasResults(told) ? [resultOfTool(told)] : saidIn(told),
    isOutput: place.isOutput,
    finishReason: place.finishReason ?? textOf(finish),
  };
}

function roleOf({ role, type }: ParsedObject): string {
  const told = textOf(role) ?? ROLES_OF_TYPES[textOf(type) ?? ''] ?? textOf(type) ?? 'message';
  return ROLES[told] ?? told;
}

function saidIn(told: ParsedObject): ChatPart[] {
  const thought = textOf(firstOf(told, 'reasoning_content', 'reasoning'));
  const refusal = textOf(told['refusal']);
  const said = partsOf(firstOf(told, 'content', 'parts', 'contents'));
  const calls = callsIn(told);
  // Some shapes list the same call among the parts and beside them.
  const known = new Set(said.flatMap((part) => (part.type === 'tool_call' && part.id !== undefined ? [part.id] : [])));
  return [
    ...(thought === undefined || thought === '' ? [] : [{ type: 'reasoning', text: thought } as const]),
    ...said,
    ...(refusal === undefined || refusal === '' ? [] : [{ type: 'refusal', text: refusal } as const]),
    ...calls.filter((call) => !(call.type === 'tool_call' && call.id !== undefined && known.has(call.id))),
    ...restOf(told),
  ];
}

function callsIn(told: ParsedObject): ChatPart[] {
  const calls = listOf(firstOf(told, 'tool_calls', 'toolCalls')) ?? [];
  const lone = isObject(told['function_call']) ? [{ type: 'tool_call', ...told['function_call'] }] : [];
  return [...calls, ...lone].map((call) => {
    const read = isObject(call) ? toolCallOf(call) : undefined;
    return read ?? { type: 'other', value: call };
  });
}

function restOf(told: ParsedObject): ChatPart[] {
  const rest = Object.entries(without(told, READ)).filter(([, value]) => value !== null && !isEmpty(value));
  return rest.length === 0 ? [] : [{ type: 'other', value: Object.fromEntries(rest) }];
}

function hasResults(told: ParsedObject): boolean {
  const parts = listOf(firstOf(told, 'content', 'parts'));
  return parts?.some((part) => isObject(part) && toolResultOf(part) !== undefined) ?? false;
}

function resultOfTool(told: ParsedObject): ToolResultPart {
  return {
    type: 'tool_result',
    id: textOf(firstOf(told, 'tool_call_id', 'toolCallId', 'id')),
    name: textOf(told['name']),
    parts: resultPartsOf(firstOf(told, 'content', 'parts', 'contents')),
    isError: told['status'] === 'error',
  };
}
