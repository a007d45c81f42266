import {
  canonicalFloat,
  compareCodePoints,
  type JsonValue,
  NumberToken,
} from '../../protocol/values/canonical-json.ts';
import { stringifyJson } from '../../protocol/values/json.ts';
import {
  compareNumeric,
  numberOfNumeric,
  type Numeric,
  numericOfNumber,
  numericOfText,
  truncateNumeric,
} from './numeric.ts';
import type { ConvertTarget } from '../contract/plan.ts';

/** Rules of conditions on values, for all engines: protocol 7.4 and 7.5. */

/** The text a value compares with: strings as they are, numbers as their token, containers as compact JSON. */
export function textOfValue(value: JsonValue): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  return value instanceof NumberToken ? value.text : stringifyJson(value);
}

export function isNumber(value: JsonValue): value is number | NumberToken {
  return typeof value === 'number' || value instanceof NumberToken;
}

export function isContainer(value: JsonValue): value is readonly JsonValue[] | { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !(value instanceof NumberToken);
}

/** A number, or the number that a string is as a whole. */
export function looseNumericOf(value: JsonValue): Numeric | null {
  if (typeof value === 'string') return numericOfText(value) ?? null;
  return isNumber(value) ? numericOfNumber(value) : null;
}

/** A boolean, the strings `true` and `false`, the numbers 1 and 0. */
export function looseBooleanOf(value: JsonValue): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  if (!isNumber(value)) return null;
  const number = Number(value);
  if (number === 1) return true;
  return number === 0 ? false : null;
}

/**
 * Structure and content, members in any order, numbers by value. It takes as long as looking through the smaller one: a
 * value of megabytes may be compared with ten thousand small ones.
 */
export function isStructurallyEqual(left: JsonValue, right: JsonValue): boolean {
  if (isNumber(left) && isNumber(right)) return compareNumeric(numericOfNumber(left), numericOfNumber(right)) === 0;
  if (!isContainer(left) || !isContainer(right)) return left === right;
  if (isList(left) || isList(right)) return isList(left) && isList(right) && areItemsEqual(left, right);
  if (memberCount(left) !== memberCount(right)) return false;
  for (const [key, value] of Object.entries(right)) {
    const other = Object.hasOwn(left, key) ? left[key] : undefined;
    if (other === undefined || !isStructurallyEqual(other, value)) return false;
  }
  return true;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function areItemsEqual(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  return left.length === right.length && left.every((item, index) => isStructurallyEqual(item, right[index] ?? null));
}

/** Counting takes as long as there are members; values do not change. */
const memberCounts = new WeakMap<object, number>();

function memberCount(value: object): number {
  const known = memberCounts.get(value);
  if (known !== undefined) return known;
  const count = Object.keys(value).length;
  memberCounts.set(value, count);
  return count;
}

/**
 * Order of two values of which none was written as a literal: numbers as numbers, everything else by text.
 * Two booleans need no case of their own, since their texts are in the right order.
 */
export function compareValues(left: JsonValue, right: JsonValue, textOf = textOfValue): number | null {
  if (isNumber(left) && isNumber(right)) return compareNumeric(numericOfNumber(left), numericOfNumber(right));
  const [leftText, rightText] = left === null || right === null ? [null, null] : [textOf(left), textOf(right)];
  return leftText === null || rightText === null ? null : compareCodePoints(leftText, rightText);
}

/** A value as a condition: booleans and numbers have a truth, nothing else. */
export function truthOfValue(value: JsonValue): boolean | null {
  if (typeof value === 'boolean') return value;
  return isNumber(value) ? Number(value) !== 0 : null;
}

export function convertValue(value: JsonValue, to: ConvertTarget): JsonValue {
  switch (to) {
    case 'exists':
      return value !== null;
    case 'string':
      return textOfValue(value);
    case 'bool':
      return toBoolean(value);
    case 'int':
      return toInteger(value);
    case 'double':
      return toDouble(value);
  }
}

function toBoolean(value: JsonValue): boolean | null {
  if (typeof value !== 'string') return truthOfValue(value);
  if (/^(true|1)$/i.test(value)) return true;
  return /^(false|0)$/i.test(value) ? false : null;
}

function toInteger(value: JsonValue): number | NumberToken | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' && !/^[+-]?\d+$/.test(value)) return null;
  const numeric = looseNumericOf(value);
  return numeric === null || !isFiniteNumeric(numeric) ? null : numberOfNumeric(truncateNumeric(numeric));
}

function toDouble(value: JsonValue): NumberToken | null {
  if (typeof value === 'boolean') return new NumberToken(value ? '1.0' : '0.0');
  const numeric = looseNumericOf(value);
  return numeric === null || !isFiniteNumeric(numeric) ? null : new NumberToken(canonicalFloat(Number(numeric)));
}

function isFiniteNumeric(value: Numeric): boolean {
  return typeof value === 'bigint' || Number.isFinite(value);
}
