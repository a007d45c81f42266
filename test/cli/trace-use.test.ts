import { expect, test } from 'vitest';
import { usesOf } from '../../src/cli/trace-use.ts';
import type { Reader } from '../../src/reader/reader.ts';
import { callOf } from './call-of.ts';

const usage = { m: { prompt_tokens: 2, completion_tokens: 1 } };

/** Reads traces of so many calls, each with tokens of its own below a root that says nothing, and counts what it is asked. */
function readerOf(counts: Readonly<Record<string, number>>) {
  const callsOf = (trace_id: string) =>
    Array.from({ length: counts[trace_id] ?? 0 }, (_value, index) =>
      callOf({
        id: `c${index}`,
        trace_id,
        parent_id: index === 0 ? null : 'c0',
        summary: index === 0 ? {} : { usage },
      }),
    );
  let asked = 0;
  const query = async function* ({ filter, limit }: { filter: { trace_ids: string[] }; limit?: number }) {
    asked += 1;
    yield* filter.trace_ids.flatMap(callsOf).slice(0, limit);
  };
  const stats = async ({ filter }: { filter: { trace_ids: string[] } }) => {
    return { count: filter.trace_ids.reduce((sum, id) => sum + (counts[id] ?? 0), 0) };
  };
  // Nothing else of it is asked.
  return { reader: { calls: { query, stats } } as unknown as Reader, asked: () => asked };
}

const silent = (trace_id: string) => callOf({ id: 'c0', trace_id, summary: {} });

test.each([
  [999, { callCount: 999, isPartial: false, tokens: { total: 3 * 998 } }],
  [1000, { callCount: 1000, isPartial: false, tokens: { total: 3 * 999 } }],
  [1001, { callCount: 1001, isPartial: true, tokens: { total: 3 * 999 } }],
  [4999, { callCount: 4999, isPartial: true, tokens: { total: 3 * 999 } }],
  [5000, { callCount: 5000, isPartial: true, tokens: { total: 3 * 999 } }],
])('of a trace of %i calls nobody has added up, it is told whether all were looked at', async (count, expected) => {
  const { reader } = readerOf({ t: count });
  expect(await usesOf(reader, [silent('t')])).toMatchObject([expected]);
});

test('what the root tells is the whole', async () => {
  const { reader, asked } = readerOf({ t: 5000 });
  const root = callOf({ id: 'c0', trace_id: 't', summary: { usage, status_counts: { success: 5000, error: 0 } } });
  expect(await usesOf(reader, [root])).toMatchObject([{ callCount: 5000, isPartial: false, tokens: { total: 3 } }]);
  expect(asked()).toBe(0);
});

test.each([
  [1, 1],
  [400, 1],
  [401, 2],
  [2000, 5],
])('%i small traces take %i questions, and are told in their order', async (count, questions) => {
  const names = Array.from({ length: count }, (_value, index) => `t${index}`);
  const { reader, asked } = readerOf(Object.fromEntries(names.map((name, index) => [name, 1 + (index % 3)])));
  const uses = await usesOf(reader, names.map(silent));
  expect(uses.map(({ callCount }) => callCount)).toEqual(names.map((_name, index) => 1 + (index % 3)));
  expect(asked()).toBe(questions);
});

test.each([20, 100, 300])(
  'of traces of %i calls so many are asked for together as an answer has room for',
  async (size) => {
    const names = Array.from({ length: 300 }, (_value, index) => `t${index}`);
    const { reader, asked } = readerOf(Object.fromEntries(names.map((name) => [name, size])));
    expect((await usesOf(reader, names.map(silent))).map(({ callCount }) => callCount)).toEqual(names.map(() => size));
    // Some more to find out how many that are; half of what would fit is the least.
    expect(asked()).toBeLessThan((300 * size) / 2500 + 20);
  },
);

test('large traces among others are asked for by themselves', async () => {
  const { reader } = readerOf({ a: 2, b: 6000, c: 1000 });
  expect(await usesOf(reader, ['a', 'b', 'c'].map(silent))).toMatchObject([
    { callCount: 2, isPartial: false },
    { callCount: 6000, isPartial: true },
    { callCount: 1000, isPartial: false },
  ]);
});
