import type { ByteCursor, ByteWriter } from './varint.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HEX = /^(?:[0-9a-f]{2})+$/;
const UUID_BYTES = 16;

/** Ids of more bytes are written as texts. */
const MAX_HEX_BYTES = 32;

/** How an id is written: 0 as a text, 1 as a UUID, n as 2n−2 hexadecimal digits. */
const TEXT = 0;
const AS_UUID = 1;

/** Stands in front of ids that are not all written in the same way. */
const MIXED = 0xff;

/** Ids in a row; those of one kind say so once: a UUID takes 16 bytes then, the id of a span eight. */
export function writeIds(writer: ByteWriter, ids: readonly string[]): void {
  const kinds = new Set(ids.map(kindOf));
  const [kind = TEXT] = kinds;
  writer.byte(kinds.size === 1 ? kind : MIXED);
  for (const id of ids) {
    if (kinds.size === 1) writeAs(kind, writer, id);
    else writeId(writer, id);
  }
}

export function readIds(reader: ByteCursor, count: number): string[] {
  const kind = reader.byte();
  if (kind === MIXED || kind === TEXT) {
    return Array.from({ length: count }, () => (kind === MIXED ? readId(reader) : reader.text()));
  }
  // One text for all of them, of which each is a part: made one by one they take ten times as long.
  const each = kind === AS_UUID ? UUID_BYTES : kind - 1;
  const digits = decoder.decode(digitsOf(reader.bytes(count * each), each, kind === AS_UUID ? DASHES : NO_DASHES));
  const length = digits.length / count;
  return Array.from({ length: count }, (_item, index) => digits.slice(index * length, (index + 1) * length));
}

/** One id, with the way it is written. */
export function writeId(writer: ByteWriter, id: string): void {
  const kind = kindOf(id);
  writer.byte(kind);
  writeAs(kind, writer, id);
}

export function readId(reader: ByteCursor): string {
  return readAs(reader.byte(), reader);
}

function kindOf(id: string): number {
  if (UUID.test(id)) return AS_UUID;
  return HEX.test(id) && id.length <= 2 * MAX_HEX_BYTES ? 1 + id.length / 2 : TEXT;
}

function writeAs(kind: number, writer: ByteWriter, id: string): void {
  if (kind === TEXT) {
    writer.text(id);
    return;
  }
  // The first half of each byte is found by where it stands; dashes are passed over.
  let place = 0;
  for (let index = 0; index < id.length; index += 2) {
    if (kind === AS_UUID && DASHES.has(place)) index += 1;
    writer.byte((valueOf(id.charCodeAt(index)) << 4) | valueOf(id.charCodeAt(index + 1)));
    place += 1;
  }
}

/** Of a hexadecimal digit. */
function valueOf(code: number): number {
  return code < FIRST_LETTER ? code - ZERO : code - FIRST_LETTER + 10;
}

function readAs(kind: number, reader: ByteCursor): string {
  if (kind === TEXT) return reader.text();
  const each = kind === AS_UUID ? UUID_BYTES : kind - 1;
  return decoder.decode(digitsOf(reader.bytes(each), each, kind === AS_UUID ? DASHES : NO_DASHES));
}

const decoder = new TextDecoder();
const ZERO = 0x30;
const FIRST_LETTER = 0x61;
const DASH = 0x2d;
/** Bytes of a UUID that follow a dash. */
const DASHES: ReadonlySet<number> = new Set([4, 6, 8, 10]);
const NO_DASHES: ReadonlySet<number> = new Set();

/** The digits of ids of so many bytes each, as the bytes of a text. */
function digitsOf(bytes: Uint8Array, each: number, dashes: ReadonlySet<number>): Uint8Array {
  const digits = new Uint8Array((bytes.length / each) * (2 * each + dashes.size));
  let end = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (dashes.has(index % each)) digits[end++] = DASH;
    digits[end++] = digitOf(byte >> 4);
    digits[end++] = digitOf(byte & 15);
  }
  return digits;
}

function digitOf(value: number): number {
  return value < 10 ? ZERO + value : FIRST_LETTER + value - 10;
}
