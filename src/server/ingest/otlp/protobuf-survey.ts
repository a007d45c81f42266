import { TracingError } from '../../../protocol/error.ts';
import { Turns } from '../../http/turns.ts';
import { undecodable } from './message.ts';
import { PROTOBUF_SCHEMA } from './protobuf-schema.ts';

/** A decoded message takes some hundred bytes, also where it was sent as two. */
const MAX_MESSAGES = 500_000;

/** The decoder calls itself for each level. */
const MAX_LEVELS = 5000;

const VARINT = 0;
const EIGHT_BYTES = 1;
const WITH_LENGTH = 2;
const FOUR_BYTES = 5;

const WIRES: Readonly<Record<string, number>> = {
  int32: VARINT,
  int64: VARINT,
  bool: VARINT,
  fixed64: EIGHT_BYTES,
  double: EIGHT_BYTES,
};

/** How a field is written. */
interface Known {
  readonly wire: number;
  /** Integers of 32 bits are read in five bytes or in ten. */
  readonly isShort: boolean;
  /** The name of the message that it holds. */
  readonly message: string | undefined;
}

/** The fields of a message by their numbers. */
type Fields = ReadonlyMap<number, Known>;

const MESSAGES = new Map<string, Fields>(
  Object.entries(PROTOBUF_SCHEMA.nested).map(([name, { fields }]) => [
    name,
    new Map(Object.values(fields).map(({ id, type }) => [id, knownOf(type)])),
  ]),
);

function knownOf(type: string): Known {
  const message = type in PROTOBUF_SCHEMA.nested ? type : undefined;
  return { wire: WIRES[type] ?? WITH_LENGTH, isShort: type === 'int32' || type === 'bool', message };
}

const NOTHING: Fields = new Map();

/** A message that is being looked through, and where it ends. */
interface Open {
  readonly fields: Fields;
  readonly end: number;
}

/**
 * Refuses a body with so many messages that decoding them would take all memory; how many there are. The decoder reads
 * known fields without a look at how they were written, and skips groups: both would be read differently here, and are
 * refused.
 */
export async function checkMessages(bytes: Uint8Array): Promise<number> {
  const reader = new SurveyCursor(bytes);
  const open: Open[] = [{ fields: fieldsOf('ExportTraceServiceRequest'), end: bytes.length }];
  const turns = new Turns();
  let count = 0;
  for (let steps = 1; reader.index < bytes.length; steps++) {
    while (open.length > 1 && reader.index === open.at(-1)?.end) open.pop();
    const { fields, end } = open.at(-1) ?? { fields: NOTHING, end: 0 };
    const message = reader.next(fields, end);
    if (message) {
      open.push(message);
      if (++count > MAX_MESSAGES || open.length > MAX_LEVELS) throw tooMany();
    }
    if (steps % 10_000 === 0 && turns.isOver) await turns.next();
  }
  return count;
}

class SurveyCursor {
  readonly #bytes: Uint8Array;
  index = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Goes behind the next field, or to the beginning of the message that it holds. */
  next(fields: Fields, end: number): Open | undefined {
    const tag = this.#uint32();
    const wire = tag & 7;
    const known = fields.get(tag >>> 3);
    if (known !== undefined && known.wire !== wire) throw undecodable('a field has another type');
    let message: Open | undefined;
    if (wire === VARINT) this.#varint(known?.isShort === true);
    else if (wire === EIGHT_BYTES) this.index += 8;
    else if (wire === FOUR_BYTES) this.index += 4;
    else if (wire === WITH_LENGTH) message = this.#withLength(known?.message, end);
    else throw undecodable('it has groups, or is no protobuf message');
    if (this.index > end) throw undecodable('a field is cut off');
    return message;
  }

  #withLength(name: string | undefined, end: number): Open | undefined {
    const length = this.#uint32();
    const messageEnd = this.index + length;
    if (messageEnd > end) throw undecodable('a field is cut off');
    if (name !== undefined) return { fields: fieldsOf(name), end: messageEnd };
    this.index = messageEnd;
    return undefined;
  }

  /** A tag or a length. */
  #uint32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.index++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw undecodable('a number is too long');
  }

  #varint(isShort: boolean): void {
    const start = this.index;
    while ((this.#bytes[this.index++] ?? 0) >= 0x80);
    const length = this.index - start;
    if (length > 10 || (isShort && length > 5 && length < 10)) throw undecodable('a number is too long');
  }
}

function fieldsOf(name: string): Fields {
  return MESSAGES.get(name) ?? NOTHING;
}

function tooMany(): TracingError {
  return new TracingError('payload_too_large', `Cannot read the body: it has more than ${MAX_MESSAGES} messages`);
}
