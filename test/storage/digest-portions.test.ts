import { expect, test } from 'vitest';
import { type DigestPortion, listDigests } from '../../src/storage/packed/digest-portions.ts';
import { joinInPortions } from '../../src/storage/packed/joined-digests.ts';
import { shareText } from '../../src/storage/packed/shared-text.ts';

const digestsOf = (length: number) => Array.from({ length }, (_, index) => `d${index}`);

/** A table of which so many rows are read at once; all that is asked for is noted. */
function tableOf(length: number, atOnce: number) {
  const asked: number[] = [];
  const read = async (from: number): Promise<DigestPortion> => {
    asked.push(from);
    return {
      count: length,
      digests: [
        digestsOf(length)
          .slice(from, from + atOnce)
          .join(' '),
      ],
    };
  };
  return { read, asked };
}

async function all(portions: AsyncIterable<readonly string[]>): Promise<string[]> {
  const digests: string[] = [];
  for await (const portion of portions) digests.push(...portion);
  return digests;
}

test.each([
  [0, 10, [0]],
  [1, 10, [0]],
  [10, 10, [0]],
  [11, 10, [0, 10]],
  [35, 10, [0, 10, 20, 30]],
])('of %i digests %i are asked for at a time, each once', async (length, atOnce, expected) => {
  const { read, asked } = tableOf(length, atOnce);
  const list = await listDigests(read);
  expect(list?.length).toBe(length);
  expect(asked).toEqual([0]);
  expect(list && (await all(list.portions))).toEqual(digestsOf(length));
  expect(asked).toEqual(expected);
});

test('all digests may come at once, in memory that threads share', async () => {
  const digests = joinInPortions(digestsOf(25_000), shareText);
  expect(digests).toHaveLength(3);
  const list = await listDigests(async () => ({ count: 25_000, digests }));
  expect(list && (await all(list.portions))).toEqual(digestsOf(25_000));
});

test('there is no list of a table that is not there', async () => {
  expect(await listDigests(async () => undefined)).toBeUndefined();
});

test('a table with fewer rows than it says is not taken for a shorter one', async () => {
  const { read } = tableOf(10, 10);
  const list = await listDigests(async (from) => ({ ...(await read(from)), count: 12 }));
  await expect(list && all(list.portions)).rejects.toThrow('it ends after 10 of 12 rows');
});
