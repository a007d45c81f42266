import type { Condition, FeedbackType, Field, RecordField } from '../contract/plan.ts';
import { fieldsOf } from '../values/condition-parts.ts';
import type { Dialect } from './dialect.ts';
import type { Reading } from './reading.ts';
import { join, raw, type Sql, sql } from './sql.ts';

/** Fields that conditions name so often are few; each kept one is looked at for every record. */
const MAX_FIELDS = 24;

/** A value inside of a body of the call at hand, or of the payload of the feedback at hand. */
type JsonField = RecordField & { readonly path: readonly string[] };

/** The conditions that keep fields together, and the rows that they are of. */
interface Kept {
  readonly conditions: readonly Condition[];
  /** Rows of feedback, by the type that is asked for; absent: calls, or whatever the whole statement is about. */
  readonly type?: FeedbackType;
  /** How many statements there are around. */
  readonly depth: number;
}

/**
 * Fields that conditions name again and again, each looked at once for a record, in a table of one row around them: a value of
 * megabytes would be found, copied and read as often as it is named.
 */
export class KeptFields {
  readonly #fields: ReadonlySet<string>;
  readonly #prefix: string;
  readonly #keepToken: (token: Sql, isFirst: boolean) => Sql;
  readonly #looks = new Map<string, Sql>();
  #tokens = 0;

  private constructor(fields: readonly string[], depth: number, keepToken: (token: Sql, isFirst: boolean) => Sql) {
    this.#fields = new Set(fields);
    this.#prefix = `kept${depth}_`;
    this.#keepToken = keepToken;
  }

  /** Those of conditions; `undefined` if they name none so often, or the database finds them by itself. */
  static of({ conditions, type, depth }: Kept, { keptFields }: Dialect): KeptFields | undefined {
    if (keptFields === undefined) return undefined;
    const counts = new Map<string, number>();
    for (const field of conditions.flatMap((condition) => fieldsOf(condition))) {
      if (isOf(field, type)) counts.set(keyOf(field), (counts.get(keyOf(field)) ?? 0) + 1);
    }
    // A value and one inside of it are nearly the same to read: what counts is how often a body is looked into.
    if ([...counts.values()].reduce((sum, count) => sum + count, 0) < keptFields.namedFrom) return undefined;
    const often = [...counts].filter(([, count]) => count > 1 || keptFields.namedFrom === 1);
    const fields = often.toSorted(([, a], [, b]) => b - a).slice(0, MAX_FIELDS);
    const keepToken = (token: Sql, isFirst: boolean): Sql => keptFields.token(token, { depth, isFirst });
    if (fields.length === 0) return undefined;
    return new KeptFields(
      fields.map(([key]) => key),
      depth,
      keepToken,
    );
  }

  /** Does the condition name one of them? */
  isNamedIn(condition: Condition): boolean {
    return fieldsOf(condition).some((field) => field.kind === 'json' && this.#fields.has(keyOf(field)));
  }

  /** How a field is read; `undefined` if it is not kept. */
  reading(field: JsonField, read: () => Reading): Reading | undefined {
    const key = keyOf(field);
    if (!this.#fields.has(key)) return undefined;
    const reading = read();
    const look = (name: string, print: () => Sql): Sql => this.#nameOf(`${key} ${name}`, print);
    return {
      isNull: () => look('isNull', () => reading.isNull()),
      text: () => look('text', () => reading.text()),
      looseNumber: () => look('looseNumber', () => reading.looseNumber()),
      looseBoolean: () => look('looseBoolean', () => reading.looseBoolean()),
      truth: () => look('truth', () => reading.truth()),
      token: () => look('token', () => this.#keepToken(reading.token(), this.#tokens++ === 0)),
    };
  }

  /** SQL that was printed with these readings, with the table around it. */
  around(printed: Sql): Sql {
    if (this.#looks.size === 0) return printed;
    const columns = [...this.#looks.values()].map((value, index) => sql`${value} AS ${this.#columnAt(index)}`);
    return sql`(SELECT ${printed} FROM (SELECT ${join(columns, ', ')}))`;
  }

  #nameOf(look: string, print: () => Sql): Sql {
    if (!this.#looks.has(look)) this.#looks.set(look, print());
    return this.#columnAt([...this.#looks.keys()].indexOf(look));
  }

  #columnAt(index: number): Sql {
    return raw(`${this.#prefix}${index}`);
  }
}

function isOf(field: Field, type: FeedbackType | undefined): field is JsonField & Field {
  if (type === undefined) return field.kind === 'json';
  return field.kind === 'feedback' && field.column === 'payload' && field.type === type;
}

function keyOf({ kind, path, ...rest }: JsonField): string {
  return JSON.stringify([kind, 'column' in rest ? rest.column : '', ...path]);
}
