import { expect, test } from 'vitest';
import { countedCallsOf, durationOf, modelsOf, nameOf, opOf, tokensOf } from '../../src/cli/call-row.ts';
import { callOf } from './call-of.ts';

const withUsage = (usage: unknown) => callOf({ summary: { usage } });

test('tokens are read in both namings and summed over models', () => {
  const usage = {
    a: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 15, input_tokens: null },
    b: { input_tokens: 2, output_tokens: 3 },
  };
  expect(tokensOf(withUsage(usage))).toEqual({ input: 12, output: 7, total: 20 });
  expect(modelsOf(withUsage(usage))).toEqual(['a', 'b']);
});

test.each([undefined, null, 5, {}, []])('usage %j is no tokens', (usage) => {
  expect(tokensOf(withUsage(usage))).toBeUndefined();
});

test('a usage entry of another shape counts nothing', () => {
  expect(tokensOf(withUsage({ a: 'many', b: { prompt_tokens: '7' } }))).toEqual({ input: 0, output: 0, total: 0 });
});

test('calls are counted where the client counted them', () => {
  expect(countedCallsOf(callOf({ summary: { status_counts: { success: 3, error: 1 } } }))).toBe(4);
  expect(countedCallsOf(callOf({ summary: { status_counts: { error: 1 } } }))).toBe(1);
  expect(countedCallsOf(callOf({ summary: {} }))).toBeUndefined();
  expect(countedCallsOf(callOf({ summary: null }))).toBeUndefined();
});

test('the duration is in microseconds, never below 0, and unknown while the call runs', () => {
  expect(durationOf(callOf({ ended_at: '2026-01-01T00:00:00.000412Z' }))).toBe(412);
  expect(durationOf(callOf({ ended_at: '2025-01-01T00:00:00Z' }))).toBe(0);
  expect(durationOf(callOf({ ended_at: null }))).toBeUndefined();
});

test('a call is named by its display name, else by its op', () => {
  const op_name = 'svc:///acme/demo/op/predict:v1';
  expect(nameOf(callOf({ op_name }))).toBe('predict');
  expect(nameOf(callOf({ op_name, display_name: 'try 1' }))).toBe('try 1');
  expect(opOf(callOf({ op_name, display_name: 'try 1' }))).toBe('predict');
});
