import { describe, expect, onTestFinished, test } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import type { StoredFeedback } from '../../src/storage/contract/feedback.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { PROJECT, readIds, startFact } from '../../src/testing/storage/facts.ts';

/** Queries that are within every limit of the protocol, and large. */

const field = (path: string) => ({ $getField: path });
const literal = (value: unknown) => ({ $literal: value });
const numbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Where a condition may stand beside feedback. */
const placesBesideFeedback = {
  eq: (said: unknown, node: unknown) => ({ $eq: [said, node] }),
  gt: (said: unknown, node: unknown) => ({ $gt: [node, said] }),
  in: (said: unknown, node: unknown) => ({ $in: [said, [node]] }),
  contains: (said: unknown, node: unknown) => ({ $contains: { input: said, substr: node } }),
  containsToken: (said: unknown, node: unknown) => ({ $containsToken: { input: node, substr: said } }),
};

function noteOn(callId: string, id: string, value: number): StoredFeedback {
  return {
    project_id: PROJECT,
    id,
    svc_ref: `svc:///${PROJECT}/call/${callId}`,
    creator: null,
    created_at: value,
    feedback_type: 'n',
    payload: JSON.stringify({ v: value }),
    annotation_ref: null,
    runnable_ref: null,
    call_ref: null,
    trigger_ref: null,
    queue_id: null,
    svc_user_id: 'user-1',
  };
}

/** JSON texts of so many characters, at least. */
const LONG_VALUES: Readonly<Record<string, (length: number) => string>> = {
  'a number': (length) => '7'.repeat(length),
  'a text': (length) => JSON.stringify('y'.repeat(length)),
  'a list': (length) => JSON.stringify(numbersUpTo(length / 5)),
  'a list of numbers with a class': (length) => `[${'1.0,'.repeat(length / 4)}1]`,
  'an object': (length) => JSON.stringify(Object.fromEntries(numbersUpTo(length / 10).map((n) => [`k${n}`, n]))),
};

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
      const lists = numbersUpTo(210).map((n) => ({
        $in: [field('inputs.a.0.0'), numbersUpTo(90).map((k) => literal(1000 * n + k + 0.5))],
      }));
      expect(await find({ $or: lists })).toEqual([]);
      expect(await find({ $or: [...lists, { $in: [field('inputs.a.0.0'), [literal(2)]] }] })).toEqual(['c2']);
    });

    test('more than a thousand comparisons of numbers are made', async () => {
      const comparisons = numbersUpTo(1600).map((n) => ({ $eq: [field('inputs.a.0.0'), literal(n)] }));
      expect(await find({ $or: comparisons })).toEqual(['c1', 'c2']);
    });

    test('thousands of values are read as the first one is', async () => {
      const [before, ...wanted] = [
        numbersUpTo(2000).map(() => field('inputs.none.0.1')),
        { $eq: [field('inputs.a.0.0'), literal(2)] },
        { $eq: [field('inputs.text'), literal('some ÉÉ text')] },
        { $eq: [{ $convert: { input: field('inputs.b.n'), to: 'bool' } }, literal(true)] },
        { $eq: [field('inputs.b.n'), field('inputs.a.0.0')] },
        field('inputs.b.n'),
      ] as const;
      const found = [];
      for (const one of wanted) found.push(await find({ $or: [...before, one] }));
      expect(found).toEqual([['c2'], ['c1'], ['c1', 'c2'], [], ['c1', 'c2']]);
    });

    test('lists inside of lists take no longer at every level', async () => {
      let node: unknown = field('inputs.b.n');
      for (let level = 0; level < 45; level++) node = { $in: [node, [literal(7), literal('x'), literal(true)]] };
      expect(await find(node)).toEqual(['c1']);
    });

    test('conditions on feedback inside of each other are asked once for each feedback', async () => {
      const storage = await openWithCalls(engine);
      for (let index = 0; index < 20; index++) await storage.feedback.create(noteOn('c1', `f${index}`, index));
      const said = field('feedback.[*].payload.v');
      for (const place of Object.values(placesBesideFeedback)) {
        let node: unknown = { $eq: [field('inputs.b.n'), literal(7)] };
        for (let level = 0; level < 40; level++) node = place(said, node);
        await readIds(storage, { query: { $expr: node as never } });
      }
      let isSaid: unknown = { $gte: [said, literal(19)] };
      for (let level = 0; level < 40; level++) isSaid = { $in: [said, [literal(-1), isSaid, literal(level - 20)]] };
      expect(await readIds(storage, { query: { $expr: isSaid as never } })).toEqual(['c1']);
    });

    test('conditions on the project take as long as their number says', async () => {
      const storage = await openStorage({ engine });
      onTestFinished(() => storage.close());
      await storage.calls.write(numbersUpTo(50).map((n) => startFact(`c${n}`, { inputs: '{"v":1}' })));
      const cpuOf = async (name: string) => {
        const conditions = numbersUpTo(1600).map((n) => ({ $gt: [field(name), literal(`x${n}`)] }));
        const before = process.cpuUsage();
        await readIds(storage, { query: { $expr: { $or: conditions } as never } });
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      const least = async (name: string) => Math.min(await cpuOf(name), await cpuOf(name), await cpuOf(name));
      // Beside as many of plain values; it was 20 times as much.
      expect((await least('project_id')) / (await least('inputs.v'))).toBeLessThan(10);
    });

    test('a hundred conditions on feedback are asked, beside much feedback of other types', async () => {
      const storage = await openWithCalls(engine);
      const text = 'x'.repeat(10_000);
      for (let index = 0; index < 200; index++) {
        const payload = JSON.stringify({ v: index, text });
        await storage.feedback.create({ ...noteOn('c1', `log${index}`, index), feedback_type: 'log', payload });
      }
      await storage.feedback.create(noteOn('c1', 'f', 7));
      const isSaid = (value: number) => ({ $eq: [field('feedback.[n].payload.v'), literal(value)] });
      const find100 = async (last: number) => {
        const conditions = [...numbersUpTo(99).map((n) => isSaid(1000 + n)), isSaid(last)];
        return await readIds(storage, { query: { $expr: { $or: conditions } as never } });
      };
      expect(await find100(7)).toEqual(['c1']);
      expect(await find100(8)).toEqual([]);
    });

    test('long texts of one letter are searched in a time that grows with them', async () => {
      const storage = await openStorage({ engine });
      onTestFinished(() => storage.close());
      const text = 'a'.repeat(500_000);
      await storage.calls.write([
        startFact('c1', { inputs: JSON.stringify({ text, part: `${text.slice(0, 250_000)}b` }) }),
      ]);
      const search = (kind: string, substr: unknown, isFolded: boolean) => {
        const condition = { [kind]: { input: field('inputs.text'), substr, case_insensitive: isFolded } };
        return readIds(storage, { query: { $expr: { $not: [condition] } as never } });
      };
      for (const isFolded of [false, true]) {
        expect(await search('$contains', literal(`${text.slice(0, 250_000)}b`), isFolded)).toEqual(['c1']);
        expect(await search('$contains', literal(`b${text.slice(0, 250_000)}`), isFolded)).toEqual(['c1']);
        expect(await search('$contains', literal(text), isFolded)).toEqual([]);
        expect(await search('$containsToken', literal(text.slice(1)), isFolded)).toEqual(['c1']);
        expect(await search('$containsToken', literal(text), isFolded)).toEqual([]);
        // What is looked for may stand in the record.
        expect(await search('$contains', field('inputs.part'), isFolded)).toEqual(['c1']);
      }
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

/**
 * Queries that name a value so many times; the calls have `a`, which is long, and `b`, which is 7.
 */
const NAMING_QUERIES: Readonly<Record<string, (names: number) => unknown>> = {
  'in conditions inside of each other': (names) => {
    let node: unknown = { $eq: [field('inputs.b'), literal(7)] };
    for (let level = 0; level < 20; level++) node = { $in: [node, [field('inputs.a'), literal(true)]] };
    return { $in: [field('inputs.a'), numbersUpTo(names / 20).map(() => node)] };
  },
  'in conditions that must all hold': (names) => ({
    $and: numbersUpTo(names).map((n) => ({ $not: [{ $gt: [field('inputs.a'), field(`inputs.none${n}`)] }] })),
  }),
  'and values inside of it': (names) => ({
    $or: numbersUpTo(names).map((n) => ({
      $eq: [field(`inputs${'.a'.repeat(1 + (n % 5))}`), { $convert: { input: field('inputs.b'), to: 'string' } }],
    })),
  }),
};

describe.each(Object.entries(NAMING_QUERIES))('a value that is named again and again %s', (_, queryOf) => {
  test.each(Object.entries(LONG_VALUES))('is read once for a record by SQLite: %s', async (_kind, text) => {
    const storage = await openStorage({ engine: 'sqlite' });
    onTestFinished(() => storage.close());
    // Values inside of it are nearly as long.
    const body = `{"a":${'{"a":'.repeat(4)}${text(800_000)}${'}'.repeat(4)},"b":7}`;
    await storage.calls.write([startFact('c', { inputs: body })]);
    const cpuOf = async (names: number) => {
      const before = process.cpuUsage();
      await readIds(storage, { query: { $expr: queryOf(names) as never } });
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const least = async (names: number) => Math.min(await cpuOf(names), await cpuOf(names), await cpuOf(names));
    // Sixty times the names: it was nearly as many times as much, and is what it takes to print the query.
    expect((await least(1200)) / (await least(20))).toBeLessThan(30);
  });
});
