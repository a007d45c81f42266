import { type JsonValue, NumberToken } from '../../../protocol/values/canonical-json.ts';
import { TracingError } from '../../../protocol/error.ts';

/** A decoded message: parsed JSON, or what the protobuf decoder made, where bytes are bytes. */
export type Message = Readonly<Record<string, unknown>>;

/** The messages of a list that are decoded one by one, each time somebody goes through them. */
export class MessageList implements Iterable<Message> {
  readonly #iterate: () => Iterator<Message>;

  constructor(iterate: () => Iterator<Message>) {
    this.#iterate = iterate;
  }

  [Symbol.iterator](): Iterator<Message> {
    return this.#iterate();
  }
}

/** The field of a message by its name in camel case; producers write it in snake case too. Null is absent. */
export function fieldOf(message: Message, name: string): unknown {
  const value = message[name] ?? message[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
  return value ?? undefined;
}

/** A field that may be absent; a whole body that is `null` is none. */
export function messageOf(value: unknown, name: string): Message {
  if (value === undefined) return NOTHING;
  if (isMessage(value)) return value;
  throw undecodable(`"${name}" is no object`);
}

/** One for all: millions of nulls would be as many objects. */
const NOTHING: Message = {};

export function messagesOf(message: Message, name: string): Iterable<Message> {
  const value = fieldOf(message, name) ?? [];
  if (value instanceof MessageList) return value;
  if (!Array.isArray(value)) throw undecodable(`"${name}" is no array`);
  return value.map((item: unknown) => messageOf(item ?? undefined, name));
}

/** Made of each message of a list. No callback of the runtime: values lie thousands of levels inside of one another. */
export function mapMessages<Made>(message: Message, name: string, make: (item: Message) => Made): readonly Made[] {
  let made: Made[] | undefined;
  for (const item of messagesOf(message, name)) (made ??= []).push(make(item));
  return made ?? NONE;
}

/** One for all: each of half a million events has a list of attributes. */
const NONE: readonly never[] = [];

/** Text that is text for every reader, whatever bytes it was made of. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : '';
}

/** Bytes as lower-case hexadecimal; JSON has them so already. What is neither is kept for its message. */
export function hexOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : stringOf(value).toLowerCase();
}

/** A 64-bit integer, which JSON writes as a text or a number; `undefined` when it is none. */
export function bigintOf(value: unknown): bigint | undefined {
  const text = value instanceof NumberToken ? value.text : value;
  if (typeof text === 'number') return Number.isInteger(text) ? BigInt(text) : undefined;
  if (typeof text !== 'string' || text.length > MAX_NUMBER_LENGTH) return undefined;
  if (/^-?\d+$/.test(text)) return BigInt(text);
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? bigintOf(Number(text)) : undefined;
}

/** Longer texts are no 64-bit integers, and a bigint of a million digits would take seconds. */
const MAX_NUMBER_LENGTH = 40;

/** A name of an enumeration without its prefix, from the name or the number. */
export function enumOf(value: unknown, names: readonly string[], prefix: string): string {
  const name = typeof value === 'string' ? value.replace(prefix, '') : names[Number(bigintOf(value) ?? 0n)];
  return name !== undefined && names.includes(name) ? name : (names[0] ?? '');
}

export function undecodable(reason: string, cause?: unknown): TracingError {
  return new TracingError('invalid_request', `Cannot read the body as an export of spans: ${reason}`, { cause });
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberToken);
}

/** The JSON number of an integer, with all of its digits. */
export function jsonInteger(value: bigint): JsonValue {
  const plain = Number(value);
  return Number.isSafeInteger(plain) ? plain : new NumberToken(value.toString());
}
