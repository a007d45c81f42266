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
  return Array.from({ length: count }, () => (kind === MIXED ? readId(reader) : readAs(kind, reader)));
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
  const digits = kind === AS_UUID ? id.replaceAll('-', '') : id;
  for (let index = 0; index < digits.length; index += 2)
    writer.byte(Number.parseInt(digits.slice(index, index + 2), 16));
}

function readAs(kind: number, reader: ByteCursor): string {
  if (kind === TEXT) return reader.text();
  const digits = hexOf(reader.bytes(kind === AS_UUID ? UUID_BYTES : kind - 1));
  if (kind !== AS_UUID) return digits;
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)];
  return parts.join('-');
}

const HEX_OF_BYTE = Array.from({ length: 256 }, (_item, byte) => byte.toString(16).padStart(2, '0'));

function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX_OF_BYTE[byte];
  return text;
}
