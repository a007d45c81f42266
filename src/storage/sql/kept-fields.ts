import type { Condition, Field } from '../contract/plan.ts';
import { fieldsOf } from '../values/condition-parts.ts';
import type { Dialect } from './dialect.ts';
import type { Reading } from './reading.ts';
import { join, raw, type Sql, sql } from './sql.ts';

/** Values of bodies in one condition that are looked at so often come to few fields; each kept one takes room of a record. */
const MAX_FIELDS = 8;

/**
 * Fields that a condition names again and again, each looked at once for a record, in a table of one row around the
 * condition: a value of megabytes would be found, copied and read as often as it is named.
 */
export class KeptFields {
  readonly #fields: ReadonlySet<string>;
  readonly #keepToken: (token: Sql) => Sql;
  readonly #looks = new Map<string, Sql>();

  private constructor(fields: readonly string[], keepToken: (token: Sql) => Sql) {
    this.#fields = new Set(fields);
    this.#keepToken = keepToken;
  }

  /** Those of a condition; `undefined` if it names none so often, or the database finds them by itself. */
  static of(condition: Condition, { keptFields }: Dialect): KeptFields | undefined {
    if (keptFields === undefined) return undefined;
    const counts = new Map<string, number>();
    for (const field of fieldsOf(condition)) {
      if (field.kind === 'json') counts.set(keyOf(field), (counts.get(keyOf(field)) ?? 0) + 1);
    }
    const often = [...counts].filter(([, count]) => count >= keptFields.namedFrom).toSorted(([, a], [, b]) => b - a);
    const fields = often.slice(0, MAX_FIELDS).map(([key]) => key);
    return fields.length === 0 ? undefined : new KeptFields(fields, (token) => keptFields.token(token));
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
      token: () => look('token', () => this.#keepToken(reading.token())),
    };
  }

  /** The condition with the table around it. */
  around(condition: Sql): Sql {
    if (this.#looks.size === 0) return condition;
    const columns = [...this.#looks.values()].map((value, index) => sql`${value} AS ${nameOfLook(index)}`);
    return sql`(SELECT ${condition} FROM (SELECT ${join(columns, ', ')}))`;
  }

  #nameOf(look: string, print: () => Sql): Sql {
    if (!this.#looks.has(look)) this.#looks.set(look, print());
    return nameOfLook([...this.#looks.keys()].indexOf(look));
  }
}

type JsonField = Field & { readonly kind: 'json' };

function nameOfLook(index: number): Sql {
  return raw(`kept${index}`);
}

function keyOf({ column, path }: JsonField): string {
  return JSON.stringify([column, ...path]);
}
