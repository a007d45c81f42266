import { TracingError } from '../../../protocol/error.ts';
import { Turns } from '../../turns.ts';
import { PROTOBUF_SCHEMA } from './protobuf-schema.ts';

/** A decoded message takes some hundred bytes, also where it was sent as two. */
const MAX_MESSAGES = 500_000;

/** Which fields of a message are messages, by their numbers. */
type Nested = ReadonlyMap<number, string>;

const NESTED = new Map<string, Nested>(
  Object.entries(PROTOBUF_SCHEMA.nested).map(([name, { fields }]) => [
    name,
    new Map(
      Object.values(fields).flatMap(({ id, type }) => (type in PROTOBUF_SCHEMA.nested ? [[id, type] as const] : [])),
    ),
  ]),
);

const NOTHING: Nested = new Map();

/** A message that is being looked through, and where it ends. */
interface Open {
  readonly nested: Nested;
  readonly end: number;
}

/**
 * Refuses a body with so many messages that decoding them would take all memory. What is no protobuf is left to the
 * decoder, which says so.
 */
export async function checkMessages(bytes: Uint8Array): Promise<void> {
  const open: Open[] = [{ nested: NESTED.get('ExportTraceServiceRequest') ?? NOTHING, end: bytes.length }];
  const turns = new Turns();
  let count = 0;
  let index = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; scale < 2 ** 49; scale *= 128) {
      const byte = bytes[index++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    return value;
  };
  for (let steps = 1; index < bytes.length; steps++) {
    while (open.length > 1 && index >= (open.at(-1)?.end ?? 0)) open.pop();
    const tag = varint();
    const wire = tag % 8;
    if (wire === 0) varint();
    else if (wire === 1) index += 8;
    else if (wire === 5) index += 4;
    else if (wire === 2) {
      const length = varint();
      const type = open.at(-1)?.nested.get(Math.floor(tag / 8));
      if (type === undefined) index += length;
      else {
        open.push({ nested: NESTED.get(type) ?? NOTHING, end: index + length });
        if (++count > MAX_MESSAGES || open.length > MAX_LEVELS) throw tooMany();
      }
    } else return;
    if (steps % 10_000 === 0 && turns.isOver) await turns.next();
  }
}

/** The decoder calls itself for each level. */
const MAX_LEVELS = 5000;

function tooMany(): TracingError {
  return new TracingError('payload_too_large', `Cannot read the body: it has more than ${MAX_MESSAGES} messages`);
}
