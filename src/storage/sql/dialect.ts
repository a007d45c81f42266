import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import type { FeedbackField, FeedbackType, Field, IntegerColumn, TextColumn, TimeColumn } from '../contract/plan.ts';
import type { Sql } from './sql.ts';

/** A value inside of a JSON text. */
export interface JsonPlace {
  readonly json: Sql;
  readonly path: readonly string[];
  /** The statement reads very many values: each is said in few words, even where reading it takes longer then. */
  readonly isOneOfMany?: boolean;
}

/** The place of a kept text. */
export interface TokenPlace {
  /** How many statements there are around: what is kept in them stays. */
  readonly depth: number;
  /** The first of a record: those of the record before are needed no more. */
  readonly isFirst: boolean;
}

/**
 * How one database says what conditions need. Everything here gives SQL of one type or NULL; truths are
 * 1, 0 or NULL.
 */
export interface Dialect {
  text(column: TextColumn): Sql;
  time(column: TimeColumn): Sql;
  integer(column: IntegerColumn): Sql;
  /** A value in a body as it is shown. */
  json(field: Field & { readonly kind: 'json' }): JsonPlace;

  /** Condition that a row of the table `feedback` of this name is about the call at hand, and of the type. */
  isAboutCall(feedback: string, type: FeedbackType, projectId: string): Sql;
  /** Order of feedback, the most recent first. */
  latestFirst(feedback: string): Sql;
  /** The column of such a row; a payload is JSON, the rest are texts. */
  feedbackColumn(feedback: string, column: FeedbackField['column']): Sql;

  /** A bound text. */
  bindText(text: string): Sql;
  bindNumber(value: bigint | number): Sql;

  /** TRUE; ends the statement when nobody waits for it any more. */
  readonly goOn: Sql;
  /** The same for what is cheap and stands for very many rows: it asks for some of them only. */
  readonly goOnAtTimes: Sql;

  readonly not: (condition: Sql) => Sql;
  readonly operators: Readonly<Record<'eq' | 'gt' | 'gte' | 'lt' | 'lte', string>>;

  /** How fields that conditions name again and again are kept for them; not needed where the database finds them once. */
  readonly keptFields?: {
    /** As often, all together. */
    readonly namedFrom: number;
    /** The JSON text of a value, in a form that is copied and read in no time: all that takes JSON texts takes it. */
    token(token: Sql, place: TokenPlace): Sql;
  };

  /** TRUE for a missing path and JSON null. */
  jsonIsNull(place: JsonPlace): Sql;
  /** The JSON text of the value. */
  jsonToken(place: JsonPlace): Sql;
  /** Strings as they are, everything else as its JSON text. */
  jsonText(place: JsonPlace): Sql;
  /** A number, or NULL for what is none. */
  jsonNumber(place: JsonPlace): Sql;
  /** A number, or the number that a string is as a whole. */
  jsonLooseNumber(place: JsonPlace): Sql;
  jsonLooseBoolean(place: JsonPlace): Sql;
  jsonTruth(place: JsonPlace): Sql;

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

  /** A short text may be looked for in any way, one that may be long only in a way that is not slow for some texts. */
  contains(text: Sql, substr: Sql, how: { readonly isCaseSensitive: boolean; readonly isShort: boolean }): Sql;
  containsToken(text: Sql, token: Sql, isCaseSensitive: boolean): Sql;

  /** Is the text one of these? */
  isOneOf(text: Sql, texts: readonly string[]): Sql;
  isOneOfNumbers(number: Sql, numbers: readonly (bigint | number)[]): Sql;
  /** Comparisons of op names, which a database may store apart; absent where they are plain columns. */
  isOpName?(texts: readonly string[]): Sql;
  /** A call in a state, said of columns that have an index; undefined where the state itself is compared. */
  isInState?(state: string): Sql | undefined;
}
