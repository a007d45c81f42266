import { describe, expect, test } from 'vitest';
import { comparerOf } from '../../../src/ui/compare/answer/comparer.ts';
import type { ChangeDiff, PartDiff } from '../../../src/ui/compare/answer/pair-detail.ts';
import { PAIR_KINDS, PAIR_STATES } from '../../../src/ui/compare/answer/pair-kinds.ts';
import { timeWords } from '../../../src/ui/compare/cause-words.ts';
import { kindAt } from '../../../src/ui/compare/tree/pair-tree.ts';
import { type TestCall, traceOf } from '../../reader/compare/traces.ts';
import { answerOf, compared, promptRef, readerOf, traceIdOf, V2 } from './given-runs.ts';

describe('two traces', () => {
  test('are compared call by call, with the numbers of both', async () => {
    const more = { op: 'mail', exception: 'SMTPError: 550 no mailbox\n    at send' };
    const { answer } = await compared(answerOf(), answerOf({ plan: { op: V2 } }, [more]));
    const { pairs, totals, sides } = answer;
    expect([...pairs.kind].map((_kind, pair) => kindAt(pairs, pair))).toEqual([
      'same',
      'code',
      'same',
      'same',
      'only_b',
    ]);
    expect([...pairs.parent]).toEqual([-1, 0, 0, 0, 0]);
    // That there is another call may come of the code.
    expect(answer.origins.map(({ kind, op, pairs: all }) => [kind, op, ...all])).toEqual([['code', 'plan', 1]]);
    expect(totals.a).toMatchObject({ calls: 4, errors: 0, open: 0, tokens: 19, cached: 4 });
    expect(totals.b).toMatchObject({ calls: 5, errors: 1 });
    expect(sides.a).toMatchObject({ name: 'answer', op: 'answer', kind: 'other', firstId: pairs.a.ids[0] });
    expect(sides.a.id).toBe(sides.a.traceId);
    const text = (column: Int32Array, pair: number) => pairs.texts[column[pair] ?? -1];
    expect([text(pairs.b.model, 3), text(pairs.b.error, 4), text(pairs.op, 1)]).toEqual([
      'gpt-a',
      'SMTPError: 550 no mailbox',
      'plan',
    ]);
    expect([pairs.a.ids[4], PAIR_STATES[pairs.b.state[4] ?? 0], pairs.a.durationMs[4]]).toEqual([
      '',
      'error',
      Number.NaN,
    ]);
  });

  test('have every kind that a comparison knows', () => {
    expect(PAIR_KINDS).toHaveLength(9);
  });

  test('say what has come while they are read', async () => {
    const calls = Array.from({ length: 450 }, (_, index) => ({ op: 'leaf', inputs: { index } }));
    const [a, b] = [traceOf({ op: 'root', calls }), traceOf({ op: 'root', calls })];
    const counts: number[] = [];
    const comparer = comparerOf(readerOf(a, b));
    await comparer.compare({ a: traceIdOf(a), b: traceIdOf(b) }, { onCount: (count) => counts.push(count) });
    expect(counts).toEqual([200, 400, 600, 800]);
  });
});

describe('a side', () => {
  const [before, after] = [traceOf(answerOf()), traceOf(answerOf({ plan: { op: V2 } }))];
  const comparer = comparerOf(readerOf(before, after));
  const idOf = (calls: typeof before, index: number) => calls[index]?.id ?? '';

  test('may be a call with those below it', async () => {
    const answer = await comparer.compare({ a: idOf(before, 1), b: idOf(after, 1) });
    if (answer.state !== 'compared') throw new Error('A side is missing');
    expect([answer.pairs.count, kindAt(answer.pairs, 0), answer.sides.a.callId]).toEqual([1, 'code', idOf(before, 1)]);
  });

  test.each([
    ['B', (trace: string) => ({ a: trace, b: 'prev' })],
    ['A', (trace: string) => ({ a: 'prev', b: trace })],
  ])('may be the run before the other one, which is A then, asked for as %s', async (_side, ids) => {
    const answer = await comparer.compare(ids(traceIdOf(after)));
    expect([answer.sides.a?.traceId, answer.sides.b?.traceId]).toEqual([traceIdOf(before), traceIdOf(after)]);
    expect(answer.state).toBe('compared');
  });

  test('may have no run before it', async () => {
    const alone = comparerOf(readerOf(after));
    const answer = await alone.compare({ a: traceIdOf(after), b: 'prev' });
    expect(answer).toMatchObject({ state: 'missing', isNoneBefore: true, sides: { b: { traceId: traceIdOf(after) } } });
    expect(answer.sides.a).toBeUndefined();
  });

  test.each([
    ['nothing', ''],
    ['an id of nothing', 'nothing'],
    ['what no id can be', 'no id: at all'],
    ['the run before what is not there', 'prev'],
  ])('may be missing: %s', async (_what, id) => {
    const answer = await comparer.compare({ a: id, b: 'neither' });
    expect(answer).toEqual({ state: 'missing', sides: {}, isNoneBefore: false });
    if (id === 'prev') return;
    const one = await comparer.compare({ a: id, b: traceIdOf(after) });
    expect(one).toMatchObject({ state: 'missing', sides: { b: { traceId: traceIdOf(after) } } });
  });
});

describe('the contents of a pair', () => {
  const placesOf = ({ changes }: PartDiff) =>
    changes.map(({ path, rows }: ChangeDiff) => [
      path,
      ...rows.flatMap(({ a, b }) => [a, b].map((line) => line?.pieces.map(({ text }) => text).join('') ?? null)),
    ]);

  test('are the places that differ in inputs and outputs, texts as they are and all else as JSON', async () => {
    const request = { model: 'gpt-a', temperature: 0.9, messages: [{ role: 'user', content: 'one\ntwo' }] };
    const before = answerOf({ chat: { inputs: { request: { ...request, temperature: 0.2 }, tags: ['x'] } } });
    const after = answerOf({
      chat: {
        inputs: { request: { ...request, messages: [{ role: 'user', content: 'one\n2' }] }, 'a tag': { list: [1] } },
        output: { text: 'Because!' },
      },
    });
    const { answer, comparer } = await compared(before, after);
    const { input, output, objects, code } = await comparer.pair(answer.key, 3);
    expect(placesOf(input)).toEqual([
      ['request.messages[0].content', 'one', 'one', 'two', '2'],
      ['request.temperature', '0.2', '0.9'],
      ['tags', '[', null, '  "x"', null, ']', null],
      ['["a tag"]', null, '{', null, '  "list": [', null, '    1', null, '  ]', null, '}'],
    ]);
    expect(placesOf(output)).toEqual([['text', 'Because.', 'Because!']]);
    expect([input.isSame, output.isSame, input.hasMore, objects, code]).toEqual([false, false, false, [], undefined]);
    expect(output.whole).toHaveLength(3);
  });

  test('name the versions of its op, and of the objects that it was given', async () => {
    const chat = { inputs: { prompt: promptRef('p2'), request: { model: 'gpt-a', temperature: 0.2 } } };
    const { answer, comparer } = await compared(answerOf(), answerOf({ plan: { op: V2 }, chat }));
    const plan = await comparer.pair(answer.key, 1);
    expect(plan.code).toEqual({ name: 'plan', a: 'a'.repeat(43), b: 'b'.repeat(43) });
    const { objects, usage } = await comparer.pair(answer.key, 3);
    expect(objects).toEqual([{ kind: 'object', name: 'prompt-qa', a: 'p1', b: 'p2' }]);
    expect(usage.a).toEqual({ input: 14, cached: 4, output: 5 });
    expect(plan.usage).toEqual({ a: null, b: null });
  });

  test('are told once where both are alike, and as they are where only one side has them', async () => {
    const { answer, comparer } = await compared(answerOf(), answerOf({}, [{ op: 'mail', inputs: { to: 'x' } }]));
    const same = await comparer.pair(answer.key, 2);
    expect([same.input.isSame, same.input.changes, same.input.whole.every(({ a }) => a === null)]).toEqual([
      true,
      [],
      true,
    ]);
    const alone = await comparer.pair(answer.key, 4);
    expect([alone.input.isSame, alone.input.changes]).toEqual([false, []]);
    expect(alone.input.whole.map(({ a, b }) => [a, b?.pieces[0]?.text])).toEqual([
      [null, '{'],
      [null, '  "to": "x"'],
      [null, '}'],
    ]);
    expect(alone.output.whole).toEqual([]);
  });

  test('have the errors line by line', async () => {
    const search = { exception: 'Error: gone\n    at a.ts:1' };
    const { answer, comparer } = await compared(answerOf(), answerOf({ search }));
    const { error } = await comparer.pair(answer.key, 2);
    expect(error.map(({ b }) => b?.pieces[0]?.text)).toEqual(['Error: gone', '    at a.ts:1']);
  });

  test('of megabytes are told by their beginnings', async () => {
    const long = (word: string) => ({ search: { output: `${word} `.repeat(100_000) } });
    const { answer, comparer } = await compared(answerOf(long('before')), answerOf(long('after')));
    const { output } = await comparer.pair(answer.key, 2);
    expect(output.cutFrom).toBe(700_000);
    expect(output.changes[0]?.cutFrom).toBe(700_000);
    const shown = output.changes[0]?.rows[0]?.b?.pieces.map(({ text }) => text).join('');
    expect(shown).toHaveLength(100_000);
  });

  test('are those of the newest comparison', async () => {
    const { answer, comparer } = await compared(answerOf(), answerOf());
    await expect(comparer.pair(answer.key + 1, 0)).rejects.toThrow('Something else was compared since');
    await expect(comparer.pair(answer.key, 99)).rejects.toThrow('Something else was compared since');
    comparer.close();
    await expect(comparer.pair(answer.key, 0)).rejects.toThrow('Something else was compared since');
  });
});

describe('versions', () => {
  test('are laid side by side, with their numbers', async () => {
    const comparer = comparerOf(readerOf());
    const { rows, a, b } = await comparer.versions({ name: 'prompt-qa', a: 'p1', b: 'p2' });
    expect([a, b]).toEqual([3, 4]);
    expect(rows.map(({ isSame }) => isSame)).toEqual([true, false]);
    expect(await comparer.numbers([{ name: 'prompt-qa', a: 'p1', b: 'nothing' }])).toEqual([{ a: 3, b: undefined }]);
  });

  test('may be gone', async () => {
    const comparer = comparerOf(readerOf());
    expect(await comparer.versions({ name: 'prompt-qa', a: 'x', b: 'y' })).toEqual({ rows: [] });
  });
});

test('what took far longer, and what was recorded in part, reaches the page', async () => {
  const run = (ms: number): TestCall => ({
    op: 'answer',
    started_at: '2026-03-01T10:00:00.000Z',
    ended_at: new Date(Date.parse('2026-03-01T10:00:00Z') + ms).toISOString(),
    output: 'a …[cut: 99999 characters]',
  });
  const { answer } = await compared(run(100), run(2000));
  expect(answer.times.map((time) => ({ ...time, pairs: [...time.pairs] }))).toEqual([
    { op: 'answer', pairs: [0], a: 100, b: 2000 },
  ]);
  expect(answer.times.map(timeWords)).toEqual(['answer: time 100 ms → 2.00 s']);
  expect([answer.origins, ...answer.pairs.isCut]).toEqual([[], 1]);
});
