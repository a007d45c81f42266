import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { stringifyJson } from '../../../protocol/values/json.ts';
import { asJsonObject, isJsonObject } from '../../../protocol/values/json-object.ts';

/** UTF-16 code units of a preview, and of what pages show of other texts. */
const PREVIEW_LENGTH = 200;

/** Those that are looked at: white space becomes less. */
export const MAX_LOOKED_AT = 8 * PREVIEW_LENGTH;

const USER_ROLES: readonly JsonValue[] = ['user', 'human'];

/** One line of an input: a lone text, the last message of the user of a chat, else compact JSON. */
export function previewOfInput(inputs: JsonValue): string | null {
  if (isJsonObject(inputs) && Object.keys(inputs).length === 0) return null;
  return previewOf(inputs);
}

/** One line of an output; null where there is none. */
export function previewOf(value: JsonValue): string | null {
  if (value === null) return null;
  const text = loneText(value) ?? chatText(value) ?? stringifyJson(value);
  return oneLine(text);
}

/** White space as single spaces; no more is looked at than may be shown. */
export function oneLine(text: string): string {
  return cutText(text.slice(0, MAX_LOOKED_AT).replaceAll(/\s+/g, ' ').trim());
}

/** The beginning of a text, which never ends in half a character. */
export function cutText(text: string, length: number = PREVIEW_LENGTH): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A text, or the one member of an object that is one. */
function loneText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value;
  const only = onlyMember(value);
  return typeof only === 'string' ? only : undefined;
}

function onlyMember(value: JsonValue): JsonValue | undefined {
  const members = isJsonObject(value) ? Object.values(value) : [];
  return members.length === 1 ? members[0] : undefined;
}

/** Chats are lists of messages: the value itself, a member named for it, or those of the one argument. */
function chatText(value: JsonValue): string | undefined {
  const lists = [value, ...named(value), ...named(onlyMember(value) ?? null)];
  for (const list of lists) {
    const text = lastUserText(list);
    if (text !== undefined) return text;
  }
  return answerText(value);
}

function named(value: JsonValue): (JsonValue | undefined)[] {
  const { messages, input, contents, prompt } = asJsonObject(value);
  return [messages, input, contents, prompt];
}

function lastUserText(list: JsonValue | undefined): string | undefined {
  if (!Array.isArray(list)) return undefined;
  const messages: readonly JsonValue[] = list;
  const last = messages.findLast((message) => USER_ROLES.includes(asJsonObject(message)['role'] ?? null));
  return last === undefined ? undefined : textOfMessage(last);
}

/** The words of an assistant, as most services answer. */
function answerText(value: JsonValue): string | undefined {
  const { choices, role } = asJsonObject(value);
  if (Array.isArray(choices)) return textOfMessage(asJsonObject(choices[0])['message']);
  return role === 'assistant' || role === 'model' ? textOfMessage(value) : undefined;
}

function textOfMessage(message: JsonValue | undefined): string | undefined {
  const { content, parts } = asJsonObject(message);
  const said = content ?? parts;
  if (typeof said === 'string') return said;
  if (!Array.isArray(said)) return undefined;
  const texts = said.map((part: JsonValue) => asJsonObject(part)['text']).filter((text) => typeof text === 'string');
  return texts.length === 0 ? undefined : texts.join(' ');
}
