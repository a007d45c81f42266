import type { Sql, SqlValue } from '../sql/sql.ts';

/** A statement as the driver takes it: every value has a name and a type, so no text of a user becomes SQL. */
export interface Statement {
  readonly query: string;
  readonly query_params: Readonly<Record<string, unknown>>;
}

/** Places of values; what is no single value says its type behind the question mark. */
const PLACE = /\?(?:\{([^}]*)\})?/g;

/** Texts of users are values themselves, and the SQL of ours has no other question marks. */
export function statementOf({ text, values }: Sql): Statement {
  const parameters: Record<string, unknown> = {};
  let index = 0;
  const query = text.replaceAll(PLACE, (_place, type: string | undefined) => {
    const name = `p${index}`;
    const value = values[index++] ?? null;
    parameters[name] = type === undefined ? value : JSON.parse(String(value));
    return `{${name}:${type ?? typeOf(value)}}`;
  });
  return { query, query_params: parameters };
}

function typeOf(value: SqlValue): string {
  if (typeof value === 'bigint') return 'Int64';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'Int64' : 'Float64';
  return 'String';
}

/** A list is one value, however long it is. */
export function bindTexts(texts: readonly string[]): Sql {
  return { text: '?{Array(String)}', values: [JSON.stringify(texts)] };
}

export function bindIntegers(numbers: readonly number[]): Sql {
  return { text: '?{Array(Int64)}', values: [JSON.stringify(numbers)] };
}
