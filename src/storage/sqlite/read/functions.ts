import { shownAttributes } from '../../../protocol/call-attributes.ts';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { canonicalFloat } from '../../../protocol/values/canonical-json.ts';
import { formatDateTime } from '../../../protocol/values/date-time.ts';
import { parseJson, stringifyJson } from '../../../protocol/values/json.ts';
import { valueAtPath } from '../../values/json-path.ts';
import { keepByText } from '../../values/kept-by-text.ts';
import { LastRead } from '../../values/last-read.ts';
import { numericOfNumber, numericOfText } from '../../values/numeric.ts';
import { containsText, containsToken } from '../../values/text-search.ts';
import {
  compareValues,
  convertValue,
  isNumber,
  isStructurallyEqual,
  looseBooleanOf,
  looseNumericOf,
  truthOfValue,
} from '../../values/value.ts';
import type { DatabaseSync, SqliteValue } from '../driver.ts';
import { KeptValues } from './kept-values.ts';

/**
 * The functions that queries use where SQL cannot say what conditions mean. They get integers as bigint,
 * texts of users as blobs (the driver ends a text at NUL) and JSON values as JSON text, which has no NUL.
 */
export function registerFunctions(database: DatabaseSync, checkInterrupt: () => void): void {
  const options = { deterministic: true, useBigIntArguments: true };
  for (const [name, call] of Object.entries({ ...FUNCTIONS, ...searches(checkInterrupt) })) {
    // One call of a large query may take as long as thousands of others: each asks whether it is still wanted.
    const asked = (...values: never[]) => {
      checkInterrupt();
      return call(...values);
    };
    // The driver takes the number of arguments from here.
    database.function(name, options, Object.defineProperty(asked, 'length', { value: call.length }));
  }
  // Asked for every row of a scan over bodies: throwing is the one way to end a statement from within.
  database.function('spoor_go_on', { ...options, deterministic: false }, (_row: bigint) => {
    checkInterrupt();
    return 1n;
  });
}

const FUNCTIONS: Readonly<Record<string, (...values: never[]) => SqliteValue>> = {
  spoor_number: (text: Uint8Array | null) => (text === null ? null : (numericOfText(decode(text)) ?? null)),
  spoor_time_text: (micros: bigint | null) => (micros === null ? null : formatDateTime(Number(micros))),
  spoor_integer_text: (value: bigint | number | null) => {
    return typeof value === 'number' ? canonicalFloat(value) : (value?.toString() ?? null);
  },
  spoor_double_text: (value: bigint | number | null) => (value === null ? null : canonicalFloat(Number(value))),
  spoor_to_integer: (token: string | null) => numberOf(convertValue(valueOf(token), 'int')),
  spoor_to_double: (token: string | null) => numberOf(convertValue(valueOf(token), 'double')),
  spoor_to_boolean: (token: string | null) => truthOf(convertValue(valueOf(token), 'bool')),
  spoor_compare: (left: string | null, right: string | null) =>
    bigintOf(compareValues(valueOf(left), valueOf(right), values.textOf)),
  spoor_equal: (token: string | null, literals: string) => {
    const value = valueOf(token);
    return value === null ? null : truthOf(literalsOf(literals).some((literal) => isStructurallyEqual(value, literal)));
  },
  spoor_is_one_of: (value: bigint | number | null, list: string) => {
    return value === null ? null : truthOf(numbersOf(list).has(keyOf(value)));
  },
  spoor_keep: (token: string | null, depth: bigint, isFirst: bigint) => {
    if (isFirst === 1n) values.letGoAt(Number(depth));
    return token === null ? null : values.keep(token, Number(depth));
  },
  spoor_shown_attributes: (attributes: string, otelDump: string) => shownAttributes(attributes, otelDump),
  spoor_at: (body: string | null, path: string) => {
    const value = valueIn(body, path);
    return value === null ? null : stringifyJson(value);
  },
  spoor_number_at: (body: string | null, path: string) => looseNumericOf(valueIn(body, path)),
  spoor_boolean_at: (body: string | null, path: string) => truthOf(looseBooleanOf(valueIn(body, path))),
  spoor_truth_at: (body: string | null, path: string) => truthOf(truthOfValue(valueIn(body, path))),
};

/** A text of megabytes takes a while: within it too each asks whether it is still wanted. */
function searches(check: () => void): Readonly<Record<string, (...values: never[]) => SqliteValue>> {
  type Text = Uint8Array | null;
  const asFunction = (find: typeof containsText) => (text: Text, part: Text, isCaseSensitive: bigint) => {
    if (text === null || part === null) return null;
    return truthOf(find(decode(text), decode(part), { isCaseSensitive: isCaseSensitive === 1n, check }));
  };
  return { spoor_contains: asFunction(containsText), spoor_contains_token: asFunction(containsToken) };
}

// What is bound there is a list.
const literalsOf = keepByText((text) => parseJson(text) as readonly JsonValue[]);
const pathOf = keepByText((text) => JSON.parse(text) as string[]);
const numbersOf = keepByText((text) => {
  const numbers = (JSON.parse(text) as string[]).map((number) => numericOfText(number) ?? Number(number));
  return new Set(numbers.map(keyOf));
});

/** The same for all numbers of one value: a double without fraction is the integer. */
function keyOf(value: bigint | number): string {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** A query that reads many values reads them from the few bodies of one call, then from those of the next one. */
const bodies = new LastRead(parseJson);

/** Values of a record that its query compares many times. */
const values = new KeptValues();

/** To be called when a statement has ended, or rests: what was read of bodies takes many times their room. */
export function letGoOfBodies(): void {
  bodies.letGo();
  values.letGo();
}

function valueIn(body: string | null, path: string): JsonValue {
  return body === null ? null : valueAtPath(bodies.of(body), pathOf(path));
}

function valueOf(token: string | null): JsonValue {
  return token === null ? null : values.valueOf(token);
}

function numberOf(value: JsonValue): SqliteValue {
  return isNumber(value) ? numericOfNumber(value) : null;
}

function truthOf(value: JsonValue): bigint | null {
  return typeof value === 'boolean' ? BigInt(value) : null;
}

function bigintOf(order: number | null): bigint | null {
  return order === null ? null : BigInt(Math.sign(order));
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
