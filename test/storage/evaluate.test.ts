import { expect, onTestFinished, test, vi } from 'vitest';
import type { JsonValue } from '../../src/protocol/values/canonical-json.ts';
import type { AnyCondition } from '../../src/storage/values/any-record.ts';
import { evaluate } from '../../src/storage/values/evaluate.ts';
import type { RecordValues } from '../../src/storage/values/record-values.ts';

const ITEMS = 1000;
const OPERAND = { kind: 'json', column: 'inputs', path: [] } as const;

function recordWith(value: JsonValue): RecordValues {
  return { text: () => null, time: () => null, integer: () => null, json: () => value };
}

function isOneOf(itemOf: (index: number) => JsonValue): AnyCondition {
  const items = Array.from({ length: ITEMS }, (_, index) => ({ kind: 'literal', value: itemOf(index) }) as const);
  return { kind: 'in', operand: OPERAND, items };
}

test('the text of a value is made once for all items of a list', () => {
  const value = { a: 1 };
  const stringify = vi.spyOn(JSON, 'stringify');
  onTestFinished(() => stringify.mockRestore());
  expect(evaluate(isOneOf(String), recordWith(value))).toBe(false);
  expect(stringify.mock.calls.filter(([made]) => made === value).length).toBe(1);
  expect(
    evaluate(
      isOneOf((index) => (index === ITEMS - 1 ? '{"a":1}' : '')),
      recordWith(value),
    ),
  ).toBe(true);
});

test('each item of a list asks whether the answer is still wanted', () => {
  let checks = 0;
  expect(
    evaluate(
      isOneOf((index) => index),
      recordWith('1.5'),
      () => void (checks += 1),
    ),
  ).toBe(false);
  expect(checks).toBeGreaterThanOrEqual(ITEMS);
});
