import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';

/** So many bytes are copied or looked at in a few milliseconds; then others have their turn. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** The bytes of all chunks as one. A chunk is let go of when it was copied. */
export async function joinInTurns(chunks: Buffer[], size: number): Promise<Buffer> {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  // Memory of its own, which can be given to another thread.
  const joined = Buffer.allocUnsafeSlow(size);
  let end = 0;
  let nextTurn = PIECE_BYTES;
  for (const [index, chunk] of chunks.entries()) {
    joined.set(chunk, end);
    end += chunk.length;
    chunks[index] = NOTHING;
    if (end < nextTurn) continue;
    await setImmediate();
    nextTurn = end + PIECE_BYTES;
  }
  return joined;
}

const NOTHING = Buffer.alloc(0);

/** Are the bytes a text in UTF-8? */
export async function isUtf8InTurns(bytes: Buffer, pieceBytes = PIECE_BYTES): Promise<boolean> {
  for (let start = 0; start < bytes.length;) {
    const end = characterStart(bytes, start + pieceBytes);
    if (!isUtf8(bytes.subarray(start, end))) return false;
    if (end < bytes.length) await setImmediate();
    start = end;
  }
  return true;
}

const LONGEST_CHARACTER = 4;

/** Where the character begins that the byte at `index` belongs to; more bytes than one has are none anyhow. */
function characterStart(bytes: Buffer, index: number): number {
  if (index >= bytes.length) return bytes.length;
  let start = index;
  while (index - start < LONGEST_CHARACTER - 1 && isContinuation(bytes[start])) start -= 1;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return ((byte ?? 0) & 0xc0) === 0x80;
}
