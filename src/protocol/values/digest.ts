import type { Hash } from 'node:crypto';
import { builtin } from '../../host/builtin.ts';
import { canonicalJson, type JsonValue } from './canonical-json.ts';

/** A SHA-256 that has seen nothing yet. `node:crypto` takes longer to load than the rest of us, and is needed here first. */
export function startHash(): Hash {
  return builtin('node:crypto').createHash('sha256');
}

/** D64 of protocol section 4: the SHA-256 in base64url with `X` for `-` and `Y` for `_`, 43 characters. */
export function digestBytes(bytes: Uint8Array | string): string {
  return toDigestText(startHash().update(bytes));
}

/** The same for bytes that were hashed piece by piece. */
export function toDigestText(hash: Hash): string {
  return hash.digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y');
}

/** Digest of an object's value or of a table row. */
export function digestJson(value: JsonValue): string {
  return digestBytes(canonicalJson(value));
}

/** Digests that are hashed as one text: one by one takes longer, and a million in one has 43 MB. */
const JOINED = 10_000;

/** Digest of a table: hexadecimal, over its row digests in order. */
export function digestTable(rowDigests: readonly string[]): string {
  const hash = startHash();
  for (let start = 0; start < rowDigests.length; start += JOINED) {
    hash.update(rowDigests.slice(start, start + JOINED).join(''));
  }
  return hash.digest('hex');
}
