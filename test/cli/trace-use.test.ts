import { expect, test } from 'vitest';
import { useOf } from '../../src/cli/trace-use.ts';
import type { Reader } from '../../src/reader/reader.ts';
import { callOf } from './call-of.ts';

const usage = { m: { prompt_tokens: 2, completion_tokens: 1 } };

/** Reads a trace of so many calls, each with tokens of its own below a root that says nothing. */
function readerOf(count: number): Reader {
  const calls = Array.from({ length: count }, (_value, index) =>
    callOf({ id: `c${index}`, parent_id: index === 0 ? null : 'c0', summary: index === 0 ? {} : { usage } }),
  );
  const query = async function* ({ limit }: { limit?: number }) {
    yield* calls.slice(0, limit);
  };
  // Nothing else of it is asked.
  return { calls: { query, stats: async () => ({ count }) } } as unknown as Reader;
}

test.each([
  [999, { callCount: 999, isPartial: false, tokens: { total: 3 * 998 } }],
  [1000, { callCount: 1000, isPartial: false, tokens: { total: 3 * 999 } }],
  [1001, { callCount: 1001, isPartial: true, tokens: { total: 3 * 999 } }],
])('of a trace of %i calls nobody has added up, it is told whether all were looked at', async (count, expected) => {
  expect(await useOf(readerOf(count), callOf({ id: 'c0', summary: {} }))).toMatchObject(expected);
});

test('what the root tells is the whole', async () => {
  const root = callOf({ id: 'c0', summary: { usage, status_counts: { success: 5000, error: 0 } } });
  expect(await useOf(readerOf(5000), root)).toMatchObject({ callCount: 5000, isPartial: false, tokens: { total: 3 } });
});
