import { canonicalFloat, type JsonValue, NumberToken } from '../../../protocol/values/canonical-json.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import { measureDepth } from '../../http/body/body-depth.ts';
import {
  bigintOf,
  fieldOf,
  jsonInteger,
  mapMessages,
  type Message,
  messageOf,
  messagesOf,
  stringOf,
} from './message.ts';
import type { Attributes } from '../../../protocol/span/span.ts';

/** Text with more levels stays text: parsed, it could not be stored. */
const MAX_TEXT_LEVELS = 256;

/** The `attributes` of a message. */
export function readAttributes(message: Message): Attributes {
  return mapMessages(message, 'attributes', (pair) => [stringOf(pair['key']), readValue(pair)] as const);
}

/** The value of a pair as JSON. Texts that hold a JSON object or array are what they hold; bytes are base64. */
function readValue(pair: Message): JsonValue {
  return jsonOf(messageOf(fieldOf(pair, 'value'), 'value'));
}

/** One call for each level, with loops of its own: values lie thousands of levels inside of one another. */
function jsonOf(value: Message): JsonValue {
  const plain = plainOf(value);
  if (plain !== undefined) return plain;
  const array = fieldOf(value, 'arrayValue');
  if (array !== undefined) {
    const items: JsonValue[] = [];
    for (const item of messagesOf(messageOf(array, 'arrayValue'), 'values')) items.push(jsonOf(item));
    return items;
  }
  const list = fieldOf(value, 'kvlistValue');
  if (list === undefined) return null;
  const members: [string, JsonValue][] = [];
  for (const pair of messagesOf(messageOf(list, 'kvlistValue'), 'values')) {
    members.push([stringOf(pair['key']), jsonOf(messageOf(fieldOf(pair, 'value'), 'value'))]);
  }
  return Object.fromEntries(members);
}

/** A value that has no others in it. */
function plainOf(value: Message): JsonValue | undefined {
  const text = fieldOf(value, 'stringValue');
  if (text !== undefined) return structureOf(stringOf(text));
  const truth = fieldOf(value, 'boolValue');
  if (truth !== undefined) return truth === true;
  const integer = bigintOf(fieldOf(value, 'intValue'));
  if (integer !== undefined) return jsonInteger(integer);
  const double = fieldOf(value, 'doubleValue');
  if (double !== undefined) return jsonDouble(double);
  const bytes = fieldOf(value, 'bytesValue');
  if (bytes === undefined) return undefined;
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : stringOf(bytes);
}

function structureOf(text: string): JsonValue {
  if (!text.startsWith('{') && !text.startsWith('[')) return text;
  if (measureDepth(Buffer.from(text)) > MAX_TEXT_LEVELS) return text;
  try {
    return parseJson(text);
  } catch {
    // Text that only begins like JSON is text.
    return text;
  }
}

/** Doubles keep their class, so that 1.0 does not become an integer; JSON has no number for some. */
function jsonDouble(value: unknown): JsonValue {
  const number = typeof value === 'string' || value instanceof NumberToken ? Number(String(value)) : value;
  if (typeof number !== 'number') return null;
  if (!Number.isFinite(number)) return String(number);
  const text = canonicalFloat(number);
  return JSON.stringify(number) === text ? number : new NumberToken(text);
}
