import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { ChatMessage } from './chat.ts';
import { inConversation, type ReadMessages, said } from './read-given.ts';
import { firstOf, listOf, parsedOrText, textOf } from '../json/read-json.ts';
import { isMessage, messageOf } from './read-message.ts';
import { partsOf, toolCallOf } from './read-part.ts';

/** Names under which instrumentations keep what a model answered. */
const ANSWERED = [
  'gen_ai.completion',
  'gen_ai.output.messages',
  'ai.response',
  'output.value',
  'llm.output_messages',
  'mlflow.spanOutputs',
  'traceloop.entity.output',
  'gcp.vertex.agent.llm_response',
  'gen_ai.content.completion',
  'events.gen_ai.choice',
  'events.gen_ai.content.completion',
  'final_result',
];

/** The messages that a model answered. */
export function readAnswer(output: unknown, isModel: boolean): ReadMessages {
  if (typeof output === 'string') return readText(output, isModel);
  if (listOf(output) !== undefined) return { messages: messagesOfList(output as unknown[], isModel), used: [] };
  if (!isObject(output)) return NOTHING;
  return (
    readChoices(output) ??
    readItems(output) ??
    readCandidates(output) ??
    readNamed(output) ??
    readMessage(output) ??
    readContent(output) ??
    readSdkAnswer(output) ??
    NOTHING
  );
}

const NOTHING: ReadMessages = { messages: [], used: [] };

function readText(output: string, isModel: boolean): ReadMessages {
  return { messages: isModel && output !== '' ? [answer(output)] : [], used: [] };
}

function messagesOfList(list: readonly unknown[], isModel: boolean): ChatMessage[] {
  const isChat = list.some(isMessage) || (isModel && list.every((each) => typeof each === 'string'));
  return isChat ? list.flatMap((each) => (typeof each === 'string' ? [answer(each)] : inConversation(each, true))) : [];
}

/** Chats and completions of OpenAI and of all who speak like it. */
function readChoices({ choices }: ParsedObject): ReadMessages | undefined {
  const list = listOf(choices);
  if (list === undefined) return undefined;
  const messages = list.map((choice) => {
    if (!isObject(choice)) return answer(choice);
    const finishReason = textOf(choice['finish_reason']);
    const told = firstOf(choice, 'message', 'delta');
    if (!isObject(told)) return answer(choice['text'], finishReason);
    return messageOf({ role: 'assistant', ...told }, { isOutput: true, finishReason });
  });
  return { messages, used: ['choices'] };
}

/** Responses of OpenAI: each item is a message, a call, a thought or something else. */
function readItems({ output, status, incomplete_details: details }: ParsedObject): ReadMessages | undefined {
  const items = listOf(output);
  if (items === undefined) return undefined;
  const parts = items.flatMap((item) => (isMessage(item) ? messageOf(item, AT_END).parts : partsOf([item])));
  const reason = isObject(details) ? textOf(details['reason']) : undefined;
  return { messages: [answer(undefined, reason ?? textOf(status), parts)], used: ['output', 'status'] };
}

const AT_END = { isOutput: true } as const;

/** Gemini. */
function readCandidates({ candidates, promptFeedback: feedback }: ParsedObject): ReadMessages | undefined {
  const list = listOf(candidates);
  if (list === undefined) return isObject(feedback) ? readFeedback(feedback) : undefined;
  const messages = list.filter(isObject).map((candidate) => {
    const content = isObject(candidate['content']) ? candidate['content'] : {};
    return messageOf({ role: 'assistant', parts: [], ...content }, finishOf(candidate));
  });
  return { messages, used: ['candidates'] };
}

function readFeedback(feedback: ParsedObject): ReadMessages {
  return { messages: [answer(undefined, undefined, [{ type: 'other', value: feedback }])], used: ['promptFeedback'] };
}

function finishOf({ finishReason }: ParsedObject) {
  return { isOutput: true, finishReason: textOf(finishReason) };
}

function readNamed(output: ParsedObject): ReadMessages | undefined {
  const name = ANSWERED.find((each) => output[each] !== undefined && output[each] !== null);
  if (name === undefined) return undefined;
  const value = parsedOrText(output[name]);
  const list = listOf(value);
  if (list === undefined) return { messages: readAnswer(value, true).messages, used: [name] };
  return { messages: list.flatMap((each) => withRole(each)), used: [name] };
}

/** Completions of an instrumentation often leave the role out. */
function withRole(value: unknown): ChatMessage[] {
  const isBare = isObject(value) && value['role'] === undefined && value['content'] !== undefined;
  return inConversation(isBare ? { role: 'assistant', ...value } : value, true);
}

/** A message itself: Anthropic, LangChain, and programs that hand on what a chat answered. */
function readMessage(output: ParsedObject): ReadMessages | undefined {
  const inner = output['message'];
  if (isObject(inner) && isMessage(inner)) return { messages: [messageOf(inner, AT_END)], used: ['message'] };
  return isMessage(output) ? { messages: [messageOf(output, AT_END)], used: [...MESSAGE_MEMBERS] } : undefined;
}

const MESSAGE_MEMBERS = ['role', 'type', 'content', 'tool_calls', 'stop_reason', 'parts', 'name', 'status'];

/** The AI SDK. */
function readContent({ content, finishReason, object }: ParsedObject): ReadMessages | undefined {
  const reason = isObject(finishReason) ? textOf(firstOf(finishReason, 'raw', 'unified')) : textOf(finishReason);
  if (listOf(content) !== undefined) {
    return { messages: [answer(undefined, reason, partsOf(content))], used: ['content', 'finishReason'] };
  }
  if (object === undefined || finishReason === undefined) return undefined;
  return {
    messages: [answer(undefined, reason, [{ type: 'other', value: object }])],
    used: ['object', 'finishReason'],
  };
}

/** The AI SDK as its own telemetry tells it. */
function readSdkAnswer(output: ParsedObject): ReadMessages | undefined {
  const text = textOf(firstOf(output, 'text', 'object'));
  const calls = listOf(parsedOrText(output['toolCalls']));
  if (text === undefined && calls === undefined) return undefined;
  const called = (calls ?? []).map((call) => {
    const read = isObject(call) ? toolCallOf({ type: 'tool-call', ...call }) : undefined;
    return read ?? ({ type: 'other', value: call } as const);
  });
  const message = answer(undefined, textOf(output['finishReason']), [...partsOf(text), ...called]);
  return { messages: [message], used: ['text', 'object', 'toolCalls', 'finishReason'] };
}

function answer(content: unknown, finishReason?: string, parts = partsOf(content)): ChatMessage {
  return { ...said('assistant', parts), isOutput: true, finishReason };
}
