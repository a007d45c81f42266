import { expect, test } from 'vitest';
import { type Packed, Packer, Unpacker } from '../../src/storage/packed/packing.ts';
import { SharedMemory } from '../../src/storage/packed/shared-memory.ts';

function packed(texts: readonly string[]): Packed {
  const packer = new Packer();
  packer.texts(texts);
  packer.number(texts.length);
  return packer.finish(1);
}

const MIB = 1024 * 1024;
const memoryOf = async (memory: SharedMemory, texts: readonly string[]) =>
  await memory.lend(packed(texts), async ({ numbers }) => numbers.buffer);

test('records are what they were, in memory of which others are in before and behind', async () => {
  const memory = new SharedMemory();
  for (const texts of [['a', 'é', '😀'], ['x'.repeat(1000), '\u0100'.repeat(2000)], [], ['b']]) {
    await memory.lend(packed(texts), async (shared) => {
      const unpacker = new Unpacker(structuredClone(shared));
      expect(unpacker.texts()).toEqual(texts);
      expect(unpacker.number()).toBe(texts.length);
    });
  }
});

test('memory is the same again where it has room', async () => {
  const memory = new SharedMemory();
  const first = await memoryOf(memory, ['a']);
  expect(await memoryOf(memory, ['b'.repeat(1000)])).toBe(first);
  const larger = await memoryOf(memory, ['c'.repeat(2 * MIB)]);
  expect(larger).not.toBe(first);
  expect(await memoryOf(memory, ['d'])).toBe(larger);
});

test('memory is not the same while it is lent, after a failure, and where it was much', async () => {
  const memory = new SharedMemory();
  await memory.lend(packed(['a']), async ({ numbers }) => {
    expect(await memoryOf(memory, ['b'])).not.toBe(numbers.buffer);
  });
  let failed: ArrayBufferLike | undefined;
  const failing = memory.lend(packed(['c']), async ({ numbers }) => {
    failed = numbers.buffer;
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  expect(await memoryOf(memory, ['d'])).not.toBe(failed);
  const much = await memoryOf(memory, ['e'.repeat(9 * MIB)]);
  expect(await memoryOf(memory, ['f'])).not.toBe(much);
});
