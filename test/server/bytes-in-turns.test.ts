import { isUtf8 } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUtf8InTurns, joinInTurns } from '../../src/server/http/body/bytes-in-turns.ts';

const MIB = 1024 * 1024;

/** Bytes that others wait for at most before they have their turn. */
const PIECE_BYTES = 6 * MIB;

/** How often others had their turn while some work was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  try {
    await work();
    return turns;
  } finally {
    clearImmediate(next);
  }
}

test.each([12, 32, 110])('others have their turns while %i MiB are joined and looked at', async (mebibytes) => {
  const chunk = Buffer.alloc(64 * 1024, 'é');
  const chunks = Array<Buffer>((mebibytes * MIB) / chunk.length).fill(chunk);
  let joined: Buffer = Buffer.alloc(0);
  const least = Math.floor((mebibytes * MIB) / PIECE_BYTES);
  expect(await turnsDuring(async () => (joined = await joinInTurns(chunks, mebibytes * MIB)))).toBeGreaterThanOrEqual(
    least,
  );
  expect(joined.length).toBe(mebibytes * MIB);
  expect(await turnsDuring(async () => await isUtf8InTurns(joined))).toBeGreaterThanOrEqual(least);
});

test('chunks of any size are joined in their order', async () => {
  const lists = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      const chunks = list.map((bytes) => Buffer.from(bytes));
      const whole = Buffer.concat(chunks);
      expect((await joinInTurns([...chunks], whole.length)).equals(whole)).toBe(true);
    }),
  );
});

test('bytes are text in pieces of any size where they are text as a whole', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((string) => Buffer.from(string));
  const spoiled = fc.tuple(text, fc.nat(), fc.nat(255)).map(([bytes, at, byte]) => {
    if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  });
  const continuations = fc.array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xe2, 0xf0), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        text,
        spoiled,
        continuations.map((list) => Buffer.from(list)),
      ),
      fc.integer({ min: 4, max: 12 }),
      async (bytes, pieceBytes) => {
        expect(await isUtf8InTurns(bytes, pieceBytes)).toBe(isUtf8(bytes));
      },
    ),
    { numRuns: 500 },
  );
});
