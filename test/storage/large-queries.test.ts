import { describe, expect, onTestFinished, test } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { readIds, startFact } from '../../src/testing/storage-facts.ts';

/** Queries that are within every limit of the protocol, and large. */

const field = (path: string) => ({ $getField: path });
const literal = (value: unknown) => ({ $literal: value });
const numbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index);

async function openWithCalls(engine: 'memory' | 'sqlite'): Promise<Storage> {
  const storage = await openStorage({ engine });
  onTestFinished(() => storage.close());
  await storage.calls.write([
    startFact('c1', { inputs: JSON.stringify({ a: [[1]], b: { n: 7 }, text: 'some ÉÉ text' }) }),
    startFact('c2', { inputs: JSON.stringify({ a: [[2]], b: { n: 8 }, text: 'É'.repeat(200_000) }) }),
  ]);
  return storage;
}

for (const engine of ['memory', 'sqlite'] as const) {
  const find = async (expression: unknown) => {
    return readIds(await openWithCalls(engine), { query: { $expr: expression as never } });
  };

  describe(`on ${engine}`, () => {
    test('a list of ten thousand objects is searched', async () => {
      const items = numbersUpTo(10_000).map((n) => literal({ n }));
      expect(await find({ $in: [field('inputs.b'), items] })).toEqual(['c1', 'c2']);
      expect(await find({ $in: [field('inputs.b'), items.slice(8)] })).toEqual(['c2']);
    });

    test('hundreds of lists of numbers are searched', async () => {
      const lists = numbersUpTo(800).map((n) => ({
        $in: [field('inputs.a.0.0'), numbersUpTo(90).map((k) => literal(1000 * n + k + 0.5))],
      }));
      expect(await find({ $or: lists })).toEqual([]);
      expect(await find({ $or: [...lists, { $in: [field('inputs.a.0.0'), [literal(2)]] }] })).toEqual(['c2']);
    });

    test('more than a thousand comparisons of numbers are made', async () => {
      const comparisons = numbersUpTo(1600).map((n) => ({ $eq: [field('inputs.a.0.0'), literal(n)] }));
      expect(await find({ $or: comparisons })).toEqual(['c1', 'c2']);
    });

    test('lists inside of lists take no longer at every level', async () => {
      let node: unknown = field('inputs.b.n');
      for (let level = 0; level < 45; level++) node = { $in: [node, [literal(7), literal('x'), literal(true)]] };
      expect(await find(node)).toEqual(['c1']);
    });

    test('texts of any length are searched without case', async () => {
      const search = (kind: string, substr: string) =>
        find({ [kind]: { input: field('inputs.text'), substr: literal(substr), case_insensitive: true } });
      expect(await search('$contains', 'é'.repeat(200_000))).toEqual(['c2']);
      expect(await search('$contains', 'é'.repeat(200_001))).toEqual([]);
      expect(await search('$containsToken', 'é'.repeat(200_000))).toEqual(['c2']);
      expect(await search('$containsToken', 'é'.repeat(199_999))).toEqual([]);
    });
  });
}
