import { canonicalFloat, NumberToken } from '../../protocol/values/canonical-json.ts';

/** A number as conditions compare it: an integer of 64 bits exactly, everything else as the nearest double. */
export type Numeric = bigint | number;

const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;
const NUMBER_TEXT = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const INTEGER_TEXT = /^[+-]?\d+$/;

/** The number a text is as a whole; `undefined` when it is none or overflows a double. */
export function numericOfText(text: string): Numeric | undefined {
  if (!NUMBER_TEXT.test(text)) return undefined;
  const value = INTEGER_TEXT.test(text) ? numericOfDigits(text) : Number(text);
  return value === Infinity || value === -Infinity ? undefined : value;
}

export function numericOfNumber(value: number | NumberToken): Numeric {
  if (value instanceof NumberToken) return value.isInteger ? numericOfDigits(value.text) : Number(value.text);
  // As in the canonical text, a plain number has the class of the token that JSON.stringify prints for it.
  return Number.isInteger(value) ? integerOf(BigInt(value)) : value;
}

export function compareNumeric(left: Numeric, right: Numeric): number {
  // JavaScript compares a bigint and a double by their exact values.
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** The JSON number of a computed value: an integer prints digits, a double always a fraction or an exponent. */
export function numberOfNumeric(value: Numeric): number | NumberToken {
  if (typeof value === 'number') return new NumberToken(canonicalFloat(value));
  const plain = Number(value);
  return Number.isSafeInteger(plain) ? plain : new NumberToken(value.toString());
}

/** Cut toward zero; beyond 64 bits it stays a double, which has no fraction there. */
export function truncateNumeric(value: Numeric): Numeric {
  return typeof value === 'bigint' || !Number.isFinite(value) ? value : integerOf(BigInt(Math.trunc(value)));
}

/** Texts of more digits are outside 64 bits, or padded; a bigint of a million digits would take seconds. */
const MAX_DIGITS = 20;

function numericOfDigits(text: string): Numeric {
  return text.length <= MAX_DIGITS ? integerOf(BigInt(text.replace('+', ''))) : Number(text);
}

function integerOf(value: bigint): Numeric {
  return value >= MIN_INTEGER && value <= MAX_INTEGER ? value : Number(value);
}
