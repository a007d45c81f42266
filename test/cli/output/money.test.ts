import { expect, test } from 'vitest';
import { formatShortCost, formatCost, formatMoney } from '../../../src/cli/output/money.ts';

test.each([
  [0, '$0'],
  [1234.5, '$1,234.50'],
  [1, '$1.00'],
  [0.0123, '$0.0123'],
  [0.01, '$0.0100'],
  [0.009_99, '$0.0100'],
  [0.001_25, '$0.0013'],
  [0.000_012_3, '$0.000012'],
  [1e-9, '$0.0000000010'],
  [1e-300, '$0.000000000000'],
  [1e300, '$1.00e+300'],
])('%d is %s', (amount, text) => {
  expect(formatMoney(amount, 'USD')).toBe(text);
});

const cost = (amounts: Record<string, number>, unpricedModels: string[] = [], isEstimate = false) =>
  formatCost({ amounts, unpricedModels, isEstimate });

test('currencies are not added up', () => {
  expect(cost({ USD: 1, EUR: 2.5 })).toBe('$1.00 + 2.50 EUR');
  expect(cost({ USD: 0, EUR: 0 })).toBe('$0');
  expect(cost({ USD: 0, EUR: 2 })).toBe('2.00 EUR');
});

test('what has no price is never counted as nothing', () => {
  expect(cost({ USD: 0.0123 }, ['my-model'])).toBe('≥ $0.0123 (no price: my-model)');
  expect(cost({ USD: 0 }, ['my-model'])).toBe('≥ $0 (no price: my-model)');
  expect(cost({}, ['a', 'b'])).toBe('no price: a, b');
  expect(cost({}, ['a', 'b', 'c', 'd', 'e'])).toBe('no price: a, b, c and 2 more');
  expect(cost({}, [''])).toBe('no price: ""');
});

test('an estimate is told as one, and names do not reach the terminal as they are', () => {
  expect(cost({ USD: 2 }, [], true)).toBe('~$2.00');
  const text = cost({ 'X\u001b[31m': 2 }, ['\u001b[31mred\n']);
  expect([text.includes('\u001b'), text.includes('\n')]).toEqual([false, false]);
  expect(cost({}, ['x'.repeat(1000)]).length).toBeLessThan(60);
});

test('where there is little room models are not named', () => {
  const short = (amounts: Record<string, number>, unpricedModels: string[] = [], isEstimate = false) =>
    formatShortCost({ amounts, unpricedModels, isEstimate });
  expect(short({ USD: 0.0123 }, ['my-model'])).toBe('≥ $0.0123');
  expect(short({}, ['my-model'])).toBe('no price');
  expect(short({ USD: 2 }, ['my-model'], true)).toBe('≥ ~$2.00');
  expect(short({ USD: 2 })).toBe('$2.00');
});
