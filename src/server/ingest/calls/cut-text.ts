import type { Limits } from '../../../protocol/limits.ts';

const ELLIPSIS = '...';
const TRUNCATED = ' …[truncated]';

/** A display name, cut to its limit: a client does not shorten what its users compute. */
export function cutDisplayName(name: string | null | undefined, limits: Limits): string | null {
  if (name === null || name === undefined) return null;
  const max = limits.display_name_characters;
  if (!isLongerThan(name, max)) return name;
  const kept = max - ELLIPSIS.length;
  // Code points are at most two units, so the slice holds enough of them without spreading a text of megabytes.
  return (
    Array.from(name.slice(0, 2 * kept))
      .slice(0, kept)
      .join('') + ELLIPSIS
  );
}

/** An exception text within its limit, the mark of the cut included; an empty one is none. */
export function cutException(text: string | null | undefined, limits: Limits): string | null {
  if (text === null || text === undefined || text === '') return null;
  const max = limits.exception_bytes;
  if (text.length * 3 <= max) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  return wholeCharacters(bytes, max - Buffer.byteLength(TRUNCATED)) + TRUNCATED;
}

function wholeCharacters(bytes: Buffer, max: number): string {
  let end = max;
  // Bytes 10xxxxxx continue a character: step back to where one begins.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

/** Is a text longer than so many code points? */
export function isLongerThan(text: string, characters: number): boolean {
  return text.length > characters && (text.length > 2 * characters || [...text].length > characters);
}
