import { describe, expect, test } from 'vitest';
import { causeWords, originSentence, originWords, versionKey } from '../../../src/ui/compare/cause-words.ts';
import { costChange, isWorseShare, latencyChange, shareChange } from '../../../src/ui/compare/change-words.ts';
import { findPairs } from '../../../src/ui/compare/find-pairs.ts';
import { moneyAt, timeAt } from '../../../src/ui/compare/known-numbers.ts';
import { moneyOfOp, opSums, timeOfOp } from '../../../src/ui/compare/op-sums.ts';
import { tabOf, tabsOf } from '../../../src/ui/compare/pair/pair-tabs.ts';
import { kindAt } from '../../../src/ui/compare/tree/pair-tree.ts';
import type { TestCall } from '../../reader/compare/traces.ts';
import { answerOf, compared, promptRef, V2 } from './given-runs.ts';

const NUMBERS = new Map([
  [versionKey({ name: 'plan', a: 'a'.repeat(43), b: 'b'.repeat(43) }), { a: 7, b: 8 }],
  [versionKey({ name: 'prompt-qa', a: 'p1', b: 'p2' }), { a: 3, b: 4 }],
]);

async function told(b: TestCall, a: TestCall = answerOf()): Promise<{ row: string; origin: string; sentence: string }> {
  const { answer } = await compared(a, b);
  const [origin] = answer.origins;
  if (origin === undefined) return { row: '', origin: '', sentence: '' };
  const pair = origin.pairs[0] ?? 0;
  return {
    row: causeWords(kindAt(answer.pairs, pair), answer.pairs.causes[answer.pairs.cause[pair] ?? -1], NUMBERS),
    origin: originWords(origin, NUMBERS),
    sentence: originSentence(origin, NUMBERS),
  };
}

describe('a cause is told', () => {
  const request = (change: object) => ({
    inputs: { prompt: promptRef('p1'), request: { model: 'gpt-a', temperature: 0.2, ...change } },
  });
  test.each([
    ['of code', { plan: { op: V2 } }, 'code v7 → v8', 'plan: code v7 → v8', 'plan: code v7 → v8'],
    [
      'of an object',
      { chat: { inputs: { prompt: promptRef('p2'), request: { model: 'gpt-a', temperature: 0.2 } } } },
      'prompt-qa v3 → v4',
      'prompt-qa v3 → v4',
      'prompt-qa v3 → v4, which chat is given',
    ],
    [
      'of an input',
      { search: { inputs: { text: 'why not' } } },
      'input: text',
      'search: input: text',
      'search: input: text',
    ],
    [
      'of a setting',
      { chat: request({ temperature: 0.9 }) },
      'temperature 0.2 → 0.9',
      'chat: temperature 0.2 → 0.9',
      'chat: temperature 0.2 → 0.9',
    ],
    [
      'of settings',
      { chat: request({ temperature: 0.9, max_tokens: 5 }) },
      'temperature 0.2 → 0.9 and 1 more',
      'chat: temperature 0.2 → 0.9 and 1 more',
      'chat: temperature 0.2 → 0.9 and 1 more',
    ],
    [
      'of a model',
      { chat: request({ model: 'gpt-b' }) },
      'model gpt-a → gpt-b',
      'chat: model gpt-a → gpt-b',
      'chat: model gpt-a → gpt-b',
    ],
    [
      'of an output',
      { search: { output: ['doc-2'] } },
      'only the output',
      'search: only the output',
      'search is given the same: only the output',
    ],
    [
      'of an error',
      { search: { output: null, exception: 'Error: gone' } },
      'fails in B',
      'search: fails in B',
      'search is given the same: fails in B',
    ],
  ])('%s', async (_what, change, row, origin, sentence) => {
    expect(await told(answerOf(change))).toEqual({ row, origin, sentence });
  });

  test('of calls that one side has alone', async () => {
    const more = answerOf({}, [{ op: 'mail' }]);
    expect(await told(more)).toEqual({ row: 'only in B', origin: '+ mail', sentence: 'mail is called in B only' });
    expect(await told(answerOf(), more)).toMatchObject({ row: 'only in A', origin: '− mail' });
  });

  test('with the number of calls that have it', async () => {
    const chat = { op: 'chat', inputs: { temperature: 0.2 } };
    const warm = { ...chat, inputs: { temperature: 0.9 } };
    const { sentence, origin } = await told({ op: 'root', calls: [warm, warm] }, { op: 'root', calls: [chat, chat] });
    expect([origin, sentence]).toEqual(['chat: temperature 0.2 → 0.9 × 2', 'chat: temperature 0.2 → 0.9, 2 calls']);
  });

  test('by the beginnings of digests where nobody knows the versions', async () => {
    const { answer } = await compared(answerOf(), answerOf({ plan: { op: V2 } }));
    expect(causeWords('code', answer.pairs.causes[0], new Map())).toBe('code aaaaaaaa → bbbbbbbb');
  });
});

describe('a change of a number', () => {
  test.each([
    [3610, 4120, '+510 ms', true],
    [810, 900, '+90 ms', false],
    [10_000, 10_500, '+500 ms', false],
    [1620, 1240, '−380 ms', false],
    [0, 1210, '+1.21 s', true],
    [640, 0, '−640 ms', false],
  ])('of %d ms to %d ms', (a, b, text, isWorse) => {
    expect(latencyChange(a, b)).toEqual({ text, isWorse });
  });

  test.each([
    [121.2, 121.4],
    [Number.NaN, Number.NaN],
    [Number.NaN, 3000],
    [3000, Number.NaN],
  ])('of %d ms to %d ms is none', (a, b) => {
    expect(latencyChange(a, b)).toBeUndefined();
  });

  test('of money', () => {
    expect(costChange(0.018, 0.0211)).toEqual({ text: '+$0.0031', isWorse: true });
    expect(costChange(0.02, 0.02005)).toEqual({ text: '< $0.0001', isWorse: false });
    expect(costChange(0.02, 0.01)).toEqual({ text: '−$0.010', isWorse: false });
    expect(costChange(0, 0.5)).toEqual({ text: '+$0.50', isWorse: true });
    expect(costChange(Number.NaN, Number.NaN)).toBeUndefined();
    expect(costChange(Number.NaN, 0.5)).toBeUndefined();
    expect(costChange(0.5, Number.NaN)).toBeUndefined();
    expect(costChange(0.02, 0.02)).toBeUndefined();
  });

  test('as a share', () => {
    expect([shareChange(3118, 3902), shareChange(1760, 1120), shareChange(100, 100), shareChange(0, 5)]).toEqual([
      '+25%',
      '−36%',
      undefined,
      undefined,
    ]);
    expect([
      isWorseShare(100, 110),
      isWorseShare(100, 109),
      isWorseShare(100, 80),
      isWorseShare(100, 80, false),
    ]).toEqual([true, false, false, true]);
  });
});

describe('ops', () => {
  test('are summed up by side, those whose time changed most first', async () => {
    const { answer } = await compared(
      answerOf(),
      answerOf({ search: { exception: 'Error: gone' } }, [{ op: 'search' }]),
    );
    const sums = opSums(answer.pairs);
    expect(sums.map(({ op }) => op).toSorted()).toEqual(['answer', 'chat', 'plan', 'search']);
    const search = sums.find(({ op }) => op === 'search');
    expect([search?.a.calls, search?.b.calls, search?.a.errors, search?.b.errors]).toEqual([1, 2, 0, 1]);
    const chat = sums.find(({ op }) => op === 'chat');
    expect([chat?.a.tokens, chat?.kind]).toEqual([19, 'llm']);
    expect(search?.a.tokens).toBeNaN();
  });

  test('of which a call has no end take longer than anybody knows', async () => {
    const { answer } = await compared(answerOf({ search: { ended_at: null } }, [{ op: 'search' }]), answerOf());
    const search = opSums(answer.pairs).find(({ op }) => op === 'search');
    expect([search?.a.calls, search?.a.open, search?.b.open]).toEqual([2, 1, 0]);
    expect(search && [timeOfOp(search.a), moneyOfOp(search.a)]).toEqual([Number.NaN, Number.NaN]);
    expect(search && [timeOfOp(search.b), moneyOfOp(search.b)]).toEqual([search?.b.totalMs, 0]);
  });
});

describe('a number of a call', () => {
  const numbers = async (summary: Readonly<Record<string, unknown>>, ended?: null) => {
    const { answer } = await compared(answerOf({ chat: { summary, ...(ended === null && { ended_at: ended }) } }), {
      op: 'answer',
      inputs: { question: 'Why?' },
    });
    const chat = answer.pairs.a.model.findIndex((model) => answer.pairs.texts[model] === 'gpt-a');
    const pair = chat === -1 ? answer.pairs.count - 1 : chat;
    return { ...answer.pairs, pair };
  };
  const usage = { 'gpt-a': { requests: 1, input_tokens: 10, output_tokens: 5 } };
  const costs = { 'gpt-a': { prompt_tokens_total_cost: 0.01 } };

  test('is none where its side has no such call', async () => {
    const { b, pair } = await numbers({ usage, svc: { costs } });
    expect([timeAt(b, pair), moneyAt(b, pair)]).toEqual([0, 0]);
  });

  test.each([
    ['that used models with a price is known', { usage, svc: { costs } }, 0.01],
    ['that used no model is none', {}, 0],
    ['of which a model has no price is not known', { usage, svc: { costs, unpriced_models: ['other'] } }, Number.NaN],
    ['of which no model has a price is not known', { usage, svc: { unpriced_models: ['gpt-a'] } }, Number.NaN],
    [
      'in other money is not known',
      { usage, svc: { costs: { 'gpt-a': { prompt_token_cost_unit: 'EUR', completion_token_cost_unit: 'EUR' } } } },
      Number.NaN,
    ],
  ])('for money %s', async (_what, summary, money) => {
    const { a, pair } = await numbers(summary);
    expect(moneyAt(a, pair)).toBe(money);
    expect(timeAt(a, pair)).toBeGreaterThan(0);
  });

  test('that has no end is not known', async () => {
    const { a, pair } = await numbers({}, null);
    expect([timeAt(a, pair), moneyAt(a, pair)]).toEqual([Number.NaN, Number.NaN]);
  });
});

describe('pairs', () => {
  test('are found by name, model, error and id', async () => {
    const { answer } = await compared(answerOf(), answerOf({ search: { exception: 'Error: Gone away\n at x' } }));
    const found = (text: string) => [...findPairs(answer.pairs, text)];
    expect(found('SEARCH')).toEqual([2]);
    expect(found('gpt-a')).toEqual([3]);
    expect(found('gone away')).toEqual([2]);
    expect(found(answer.pairs.a.ids[1] ?? '')).toEqual([1]);
    expect(found(' ')).toEqual([]);
    expect(found('nothing')).toEqual([]);
  });

  test('have tabs for what they have, and are shown by the one that tells most', () => {
    const change = { name: 'plan', a: 'a', b: 'b' };
    expect(tabsOf({ objects: [] })).toEqual(['input', 'output', 'numbers']);
    const tabs = tabsOf({ code: change, objects: [{ kind: 'object', ...change }] });
    expect(tabs).toEqual(['code', 'object', 'input', 'output', 'numbers']);
    expect([
      tabOf(tabs, '', 'code'),
      tabOf(tabs, 'output', 'code'),
      tabOf(['input', 'output'], 'code', 'output'),
    ]).toEqual(['code', 'output', 'output']);
  });
});
