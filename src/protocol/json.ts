import { parse, stringify } from 'lossless-json';
import { canonicalNumber, type JsonValue, NumberToken } from './canonical-json.ts';
import { TracingError } from './error.ts';

/**
 * Number tokens that `JSON.parse` and `JSON.stringify` would not give back in canonical form (`1.0`, exponents,
 * 16 digits and more, small fractions), and escapes that may be half of a surrogate pair. Nearly all texts have
 * none, so the native parser can be used; a match that is no such token only costs time.
 */
const NEEDS_LOSSLESS =
  /(?:^|[[,:])\s*-?(?:\d{16}|\d+\.\d*0\s*(?:$|[,\]}])|0\.0000|\d+\.\d{16}|\d+(?:\.\d+)?[eE][+-]?\d)|\\u[dD][89a-fA-F]/;

/**
 * Reads JSON text without loss: numbers keep their class and digits, the last of duplicate keys wins, unpaired
 * surrogate escapes become U+FFFD. Throws `invalid_json`.
 */
export function parseJson(text: string): JsonValue {
  const value = parseNatively(text);
  return NEEDS_LOSSLESS.test(text) ? parseLosslessly(text) : value;
}

/** Compact JSON text, members in the order of the value, number tokens as they are. */
export function stringifyJson(value: JsonValue): string {
  const before = NumberToken.stringifiedCount;
  const text = JSON.stringify(value);
  if (NumberToken.stringifiedCount === before) return text;
  return stringify(value, undefined, undefined, [NUMBER_TOKEN_STRINGIFIER]) ?? 'null';
}

const NUMBER_TOKEN_STRINGIFIER = {
  test: (value: unknown) => value instanceof NumberToken,
  stringify: (value: unknown) => (value as NumberToken).text,
};

function parseNatively(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new TracingError('invalid_json', 'Cannot read the body: it is not JSON', { cause: error });
  }
}

function parseLosslessly(text: string): JsonValue {
  const value = parse(text, undefined, {
    parseNumber,
    onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue,
  }) as JsonValue;
  return /\\u[dD][89a-fA-F]/.test(text) ? withWellFormedText(value) : value;
}

function parseNumber(token: string): number | NumberToken {
  const canonical = canonicalNumber(token);
  if (canonical === undefined)
    throw new TracingError('invalid_json', `Cannot read the number ${token}: it is too large`);
  const value = Number(token);
  return JSON.stringify(value) === canonical ? value : new NumberToken(canonical);
}

function withWellFormedText(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (value === null || typeof value !== 'object' || value instanceof NumberToken) return value;
  if (Array.isArray(value)) return value.map(withWellFormedText);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), withWellFormedText(member)]),
  );
}
