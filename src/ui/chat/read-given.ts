import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { ChatMessage, ChatPart } from './chat.ts';
import { firstOf, listOf, parsedOrText, textOf } from '../json/read-json.ts';
import { isMessage, messageOf } from './read-message.ts';
import { partsOf, toolCallOf, toolResultOf } from './read-part.ts';

/** Messages, and the members of the record that they were made of. */
export interface ReadMessages {
  readonly messages: readonly ChatMessage[];
  readonly used: readonly string[];
}

/** Names under which libraries and instrumentations keep what a model was given. */
const GIVEN = [
  'messages',
  'contents',
  'prompt',
  'input',
  'prompts',
  'gen_ai.prompt',
  'gen_ai.input.messages',
  'ai.prompt',
  'input.value',
  'llm.input_messages',
  'pydantic_ai.all_messages',
  'mlflow.spanInputs',
  'traceloop.entity.input',
  'gcp.vertex.agent.llm_request',
  'events.gen_ai.user.message',
  'events.gen_ai.content.prompt',
  'inputs',
];

/** Under these names stands nothing but what a model was given. */
const OF_MODELS = /^(?:ai\.prompt|gen_ai\.|events\.gen_ai\.|llm\.)/;

const INSTRUCTIONS = ['instructions', 'system', 'systemInstruction', 'system_instruction'];

/** Messages to a model. With `isModel` a mere text is a message, too: of any other call it is just an argument. */
export function readGiven(inputs: ParsedObject, isModel: boolean): ReadMessages {
  for (const name of GIVEN) {
    const messages = messagesIn(parsedOrText(inputs[name]), isModel || OF_MODELS.test(name));
    if (messages === undefined) continue;
    const instructions = instructionsIn(inputs);
    return { messages: [...instructions.messages, ...messages], used: [name, ...instructions.used] };
  }
  return { messages: [], used: [] };
}

function instructionsIn(inputs: ParsedObject): ReadMessages {
  const config = isObject(inputs['config']) ? inputs['config'] : {};
  const used = INSTRUCTIONS.filter((name) => inputs[name] !== undefined && inputs[name] !== null);
  const told = firstOf(inputs, ...INSTRUCTIONS) ?? firstOf(config, ...INSTRUCTIONS);
  if (told === undefined) return { messages: [], used };
  return { messages: systemMessages(told), used };
}

/** Instructions are a text, parts, or messages of their own. */
export function systemMessages(told: unknown): ChatMessage[] {
  const list = listOf(told);
  if (list !== undefined && list.length > 0 && list.every(isMessage)) {
    return list.map((each) => messageOf(each, { isOutput: false }));
  }
  const content = isObject(told) ? (firstOf(told, 'parts', 'content') ?? told) : told;
  return [said('system', partsOf(content))];
}

function messagesIn(value: unknown, isModel: boolean): ChatMessage[] | undefined {
  if (typeof value === 'string') return isModel && value !== '' ? [said('user', partsOf(value))] : undefined;
  if (isObject(value)) return messagesOfObject(value, isModel);
  const list = listOf(value);
  if (list === undefined || list.length === 0) return undefined;
  // LangChain can ask several times at once.
  if (list.every((each) => listOf(each)?.some(isMessage) === true)) {
    return list.flatMap((each) => messagesIn(each, isModel) ?? []);
  }
  if (list.some(isMessage)) return list.flatMap((each) => inConversation(each));
  return isModel ? messagesOfParts(list) : undefined;
}

function messagesOfObject(value: ParsedObject, isModel: boolean): ChatMessage[] | undefined {
  if (isMessage(value)) return [messageOf(value, { isOutput: false })];
  const { messages, used } = readGiven(value, isModel);
  if (used.length > 0) return [...messages];
  return isModel && partsOf(value)[0]?.type !== 'other' ? [said('user', partsOf(value))] : undefined;
}

/** Texts and parts without a message around them: Gemini takes them so, and responses of OpenAI as items. */
function messagesOfParts(list: readonly unknown[]): ChatMessage[] | undefined {
  const isItems = list.some((each) => isObject(each) && isItem(each));
  if (isItems) return list.flatMap((each) => inConversation(each));
  const parts = partsOf(list);
  return parts.every(({ type }) => type === 'other') ? undefined : [said('user', parts)];
}

function isItem(each: ParsedObject): boolean {
  return toolCallOf(each) !== undefined || toolResultOf(each) !== undefined || each['type'] === 'reasoning';
}

/** Messages, and the items between them that are none. */
export function inConversation(value: unknown, isOutput = false): ChatMessage[] {
  if (isMessage(value)) return [messageOf(value, { isOutput })];
  const parts = partsOf(value);
  const role = parts.every(({ type }) => type === 'tool_result') ? 'tool' : 'assistant';
  return parts.length === 0 ? [] : [{ ...said(isOutput || isObject(value) ? role : 'user', parts), isOutput }];
}

export function said(role: string, parts: readonly ChatPart[]): ChatMessage {
  return { role, name: undefined, parts, isOutput: false, finishReason: undefined };
}

/** Text that stands for a list of parts of a system message in attributes. */
export function looksLikeInstructions(value: unknown): boolean {
  const text = textOf(value);
  return text === undefined ? listOf(value) !== undefined : /\s/.test(text.trim());
}
