import { expect, test } from 'vitest';
import { costOf, costOfTrace } from '../../src/reader/call-cost.ts';
import { callOf } from '../cli/call-of.ts';

const entry = (prompt: number, completion: number, more: object = {}) => ({
  prompt_tokens_total_cost: prompt,
  completion_tokens_total_cost: completion,
  prompt_token_cost_unit: 'USD',
  completion_token_cost_unit: 'USD',
  ...more,
});
const usage = { m: { input_tokens: 1 } };

test('input and output are added up by currency, over all models', () => {
  const costs = { m: entry(1, 2), n: entry(4, 8, { completion_token_cost_unit: 'EUR', is_estimate: true }) };
  const call = callOf({ summary: { usage, svc: { costs, unpriced_models: ['o'] } } });
  expect(costOf(call)).toEqual({ amounts: { USD: 7, EUR: 8 }, unpricedModels: ['o'], isEstimate: true });
});

test('a call without costs, or read without them, has none, which is not nothing', () => {
  expect(costOf(callOf({}))).toBeUndefined();
  expect(costOf(callOf({ summary: null }))).toBeUndefined();
  expect(costOf(callOf({ summary: { usage, svc: {} } }))).toBeUndefined();
  expect(costOf(callOf({ summary: { svc: { unpriced_models: ['o'] } } }))?.amounts).toEqual({});
});

test('a trace costs what its topmost calls with usage cost', () => {
  const svc = { costs: { m: entry(1, 0) } };
  const calls = [
    callOf({ id: 'root' }),
    callOf({ id: 'a', parent_id: 'root', summary: { usage, svc } }),
    callOf({ id: 'b', parent_id: 'a', summary: { usage, svc } }),
    callOf({ id: 'c', parent_id: 'root', summary: { usage, svc: { unpriced_models: ['o'] } } }),
    callOf({ id: 'd', parent_id: 'root', summary: { usage: {}, svc } }),
  ];
  expect(costOfTrace(calls)).toEqual({ amounts: { USD: 1 }, unpricedModels: ['o'], isEstimate: false });
  expect(costOfTrace([])).toBeUndefined();
});
