import { type Message, MessageList } from './message.ts';
import { PROTOBUF_SCHEMA } from './protobuf-schema.ts';
import { ProtobufReader } from './protobuf-reader.ts';

/** How a field is read. */
interface Field {
  readonly name: string;
  readonly type: string;
  readonly isMessage: boolean;
  readonly isMany: boolean;
}

type Fields = ReadonlyMap<number, Field>;

const MESSAGES = new Map<string, Fields>(
  Object.entries(PROTOBUF_SCHEMA.nested).map(([message, { fields }]) => [
    message,
    new Map(
      Object.entries(fields).map(([name, { id, type, rule }]) => [
        id,
        { name, type, isMessage: type in PROTOBUF_SCHEMA.nested, isMany: rule === 'repeated' },
      ]),
    ),
  ]),
);

/**
 * A message as parsed JSON would have it, with bytes as bytes. A list of messages is decoded anew, one message at a time,
 * whenever somebody goes through it: a whole body as objects takes fifty times its size. Of several values of one field
 * the last counts.
 */
export function decodeMessage(type: string, bytes: Buffer, start = 0, end = bytes.length): Message {
  const fields = MESSAGES.get(type) ?? NO_FIELDS;
  const reader = new ProtobufReader(bytes, start, end);
  const message: Record<string, unknown> = {};
  while (!reader.isDone) {
    const tag = reader.uint32();
    const field = fields.get(tag >>> 3);
    if (field === undefined) reader.skip(tag & 7);
    else if (field.isMany) {
      message[field.name] ??= messagesIn(field.type, tag, { bytes, start: reader.index, end });
      reader.skip(tag & 7);
    } else message[field.name] = valueOf(reader, field);
  }
  return message;
}

const NO_FIELDS: Fields = new Map();

/** Where the rest of a message lies, from behind the tag of the first item. */
interface Rest {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

function messagesIn(type: string, tag: number, { bytes, start, end }: Rest): MessageList {
  return new MessageList(function* () {
    const reader = new ProtobufReader(bytes, start, end);
    for (let next = tag; ; next = reader.uint32()) {
      if (next === tag) {
        const item = reader.withLength();
        yield decodeMessage(type, bytes, item.start, item.end);
      } else reader.skip(next & 7);
      if (reader.isDone) return;
    }
  });
}

function valueOf(reader: ProtobufReader, { type, isMessage }: Field): unknown {
  if (type === 'int32') return Number(reader.int64()) | 0;
  if (type === 'bool') return reader.int64() !== '0';
  if (type === 'int64') return reader.int64();
  if (type === 'fixed64') return reader.fixed64();
  if (type === 'double') return reader.double();
  const { start, end } = reader.withLength();
  if (isMessage) return decodeMessage(type, reader.bytes, start, end);
  return type === 'bytes' ? reader.bytes.subarray(start, end) : reader.bytes.toString('utf8', start, end);
}
