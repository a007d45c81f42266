import { bounded } from '../../../protocol/values/bounded.ts';

/**
 * The sum of products of numbers as they are written: 3 times 0.1 is 0.3, where doubles make 0.30000000000000004. It is
 * rounded once, and bounded to what JSON can write.
 */
export function sumOfProducts(products: readonly (readonly [number, number])[]): number {
  const terms = products
    .filter(([left, right]) => left !== 0 && right !== 0)
    .map(([left, right]) => productOf(decimalOf(left), decimalOf(right)));
  if (terms.length === 0) return 0;
  const exponent = terms.reduce((least, each) => Math.min(least, each.exponent), Infinity);
  return bounded(Number(`${smallSum(terms, exponent) ?? largeSum(terms, exponent)}e${exponent}`));
}

/** Digits as an integer, and the power of ten they are multiplied with. Few digits are a number, which is ten times as fast. */
interface Decimal {
  readonly digits: number | bigint;
  readonly exponent: number;
}

function productOf(left: Decimal, right: Decimal): Decimal {
  const exponent = left.exponent + right.exponent;
  const digits = Number(left.digits) * Number(right.digits);
  return { digits: Number.isSafeInteger(digits) ? digits : BigInt(left.digits) * BigInt(right.digits), exponent };
}

/** In numbers, where all of them are exact. */
function smallSum(terms: readonly Decimal[], exponent: number): number | undefined {
  let sum = 0;
  for (const { digits, exponent: own } of terms) {
    if (typeof digits === 'bigint' || own - exponent > 15) return undefined;
    const aligned = digits * 10 ** (own - exponent);
    sum += aligned;
    if (!Number.isSafeInteger(aligned) || !Number.isSafeInteger(sum)) return undefined;
  }
  return sum;
}

function largeSum(terms: readonly Decimal[], exponent: number): bigint {
  return terms.reduce((sum, { digits, exponent: own }) => sum + BigInt(digits) * 10n ** BigInt(own - exponent), 0n);
}

/** The shortest digits of a number; counts are whole, and prices the same again and again. */
function decimalOf(value: number): Decimal {
  if (Number.isSafeInteger(value)) return { digits: value, exponent: 0 };
  const known = decimals.get(value);
  if (known !== undefined) return known;
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const digits = Number(whole + fraction);
  const decimal: Decimal = {
    digits: Number.isSafeInteger(digits) ? digits : BigInt(whole + fraction),
    exponent: Number(power) - fraction.length,
  };
  if (decimals.size >= REMEMBERED) decimals.clear();
  decimals.set(value, decimal);
  return decimal;
}

const REMEMBERED = 1000;
const decimals = new Map<number, Decimal>();
