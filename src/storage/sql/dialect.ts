import type { JsonValue } from '../../protocol/canonical-json.ts';
import type { Field, IntegerColumn, TextColumn, TimeColumn } from '../plan.ts';
import type { Sql } from './sql.ts';

/** A value in a JSON body, as SQL sees it. */
export type JsonField = Field & { readonly kind: 'json' };

/**
 * How one database says what conditions need. Everything here gives SQL of one type or NULL; truths are
 * 1, 0 or NULL.
 */
export interface Dialect {
  text(column: TextColumn): Sql;
  time(column: TimeColumn): Sql;
  integer(column: IntegerColumn): Sql;

  /** A bound text. */
  bindText(text: string): Sql;
  bindNumber(value: bigint | number): Sql;

  readonly not: (condition: Sql) => Sql;
  readonly operators: Readonly<Record<'eq' | 'gt' | 'gte' | 'lt' | 'lte', string>>;

  /** TRUE for a missing path and JSON null. */
  jsonIsNull(field: JsonField): Sql;
  /** The JSON text of the value. */
  jsonToken(field: JsonField): Sql;
  /** Strings as they are, everything else as its JSON text. */
  jsonText(field: JsonField): Sql;
  /** A number, or NULL for what is none. */
  jsonNumber(field: JsonField): Sql;
  /** A number, or the number that a string is as a whole. */
  jsonLooseNumber(field: JsonField): Sql;
  jsonLooseBoolean(field: JsonField): Sql;
  jsonTruth(field: JsonField): Sql;

  /** The number that a text is as a whole. */
  numberOfText(text: Sql): Sql;
  textOfTime(micros: Sql): Sql;
  textOfInteger(value: Sql): Sql;
  textOfDouble(value: Sql): Sql;
  /** JSON text of a text. */
  quote(text: Sql): Sql;

  /** Conversions of a value that is given as JSON text. */
  toInteger(token: Sql): Sql;
  toDouble(token: Sql): Sql;
  toBoolean(token: Sql): Sql;

  /** Below, at or above 0, or NULL: order of two values given as JSON texts. */
  compareTokens(left: Sql, right: Sql): Sql;
  /** To one of the literals. */
  isStructurallyEqual(token: Sql, literals: readonly JsonValue[]): Sql;

  contains(text: Sql, substr: Sql, isCaseSensitive: boolean): Sql;
  containsToken(text: Sql, token: Sql, isCaseSensitive: boolean): Sql;

  /** Is the text one of these? */
  isOneOf(text: Sql, texts: readonly string[]): Sql;
  isOneOfNumbers(number: Sql, numbers: readonly (bigint | number)[]): Sql;
  /** Comparisons of op names, which a database may store apart; absent where they are plain columns. */
  isOpName?(texts: readonly string[]): Sql;
}
