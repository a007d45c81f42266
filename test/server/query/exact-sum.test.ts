import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumOfProducts } from '../../../src/server/query/read/exact-sum.ts';

test('sums are those of the digits as they are written', () => {
  expect(sumOfProducts([[3, 0.1]])).toBe(0.3);
  expect(
    sumOfProducts([
      [1, 0.1],
      [1, 0.2],
    ]),
  ).toBe(0.3);
  expect(
    sumOfProducts([
      [1e9 + 1, 1.000000001e-9],
      [1, 1e-18],
    ]),
  ).toBe(1.000000002);
  expect(
    sumOfProducts([
      [1e15 + 1, 1e-6],
      [1, 1e-7],
    ]),
  ).toBe(1_000_000_000.000_001_1);
  expect(sumOfProducts([])).toBe(0);
  expect(
    sumOfProducts([
      [0, 5],
      [5, 0],
    ]),
  ).toBe(0);
  expect(sumOfProducts([[1e308, 1e308]])).toBe(Number.MAX_VALUE);
  expect(sumOfProducts([[1e-300, 1e-300]])).toBe(0);
});

/** The same in integers of any length. */
function slowly(products: readonly (readonly [number, number])[]): number {
  const parts = products.map(([left, right]) => {
    const [a, b] = [left, right].map((value) => {
      const [mantissa = '0', power = '0'] = value.toExponential().split('e');
      const [whole = '0', fraction = ''] = mantissa.split('.');
      return [BigInt(whole + fraction), Number(power) - fraction.length] as const;
    });
    return a && b ? ([a[0] * b[0], a[1] + b[1]] as const) : ([0n, 0] as const);
  });
  const least = Math.min(...parts.map(([, exponent]) => exponent));
  const sum = parts.reduce((total, [digits, exponent]) => total + digits * 10n ** BigInt(exponent - least), 0n);
  return Math.min(Math.max(Number(`${sum}e${least}`), -Number.MAX_VALUE), Number.MAX_VALUE);
}

test('the fast way and the long one agree, whatever the numbers', () => {
  const count = fc.oneof(fc.nat(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const price = fc.oneof(
    fc.nat(99_999).map((digits) => digits / 1e9),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const products = fc.array(fc.tuple(count, price), { minLength: 1, maxLength: 4 });
  const agree = fc.property(products, (drawn) => {
    expect(sumOfProducts(drawn) + 0).toBe(slowly(drawn) + 0);
  });
  fc.assert(agree, { numRuns: 2000 });
});
