import { createHash, randomBytes } from 'node:crypto';

/** A lower-case UUIDv7: sorts by the millisecond it was made in. */
export function newId(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  return uuidOf(bytes, 7);
}

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The id that follows from a seed. It has the time of `timed` where that is a UUIDv7, else it is a UUIDv8. */
export function derivedId(seed: string, timed: string): string {
  const bytes = createHash('sha256').update(seed).digest();
  if (!UUID_7.test(timed)) return uuidOf(bytes, 8);
  bytes.write(timed.replaceAll('-', '').slice(0, 12), 'hex');
  return uuidOf(bytes, 7);
}

function uuidOf(bytes: Buffer, version: 7 | 8): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
