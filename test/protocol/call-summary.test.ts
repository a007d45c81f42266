import { expect, test } from 'vitest';
import { callLatencyMs, callStatus, callTraceName } from '../../src/protocol/call-summary.ts';

const outcome = { exception: null, startedAt: 0, endedAt: 1, descendantErrors: null };

test('the status is the first that holds', () => {
  expect(callStatus({ ...outcome, exception: 'E', endedAt: null, descendantErrors: 1 })).toBe('error');
  expect(callStatus({ ...outcome, endedAt: null, descendantErrors: 1 })).toBe('running');
  expect(callStatus({ ...outcome, descendantErrors: 1 })).toBe('descendant_error');
  expect(callStatus({ ...outcome, descendantErrors: 0 })).toBe('success');
  expect(callStatus(outcome)).toBe('success');
});

test('the latency is whole milliseconds, never below zero, and absent while the call runs', () => {
  expect(callLatencyMs({ startedAt: 500, endedAt: 2_499 })).toBe(1);
  expect(callLatencyMs({ startedAt: 5000, endedAt: 1000 })).toBe(0);
  expect(callLatencyMs({ startedAt: 0, endedAt: null })).toBeNull();
});

test('a call is shown under its display name, else under the name of its op', () => {
  expect(callTraceName('shown', 'f')).toBe('shown');
  expect(callTraceName(null, 'f')).toBe('f');
  expect(callTraceName('', 'svc:///a/b/op/predict:v1')).toBe('predict');
});
