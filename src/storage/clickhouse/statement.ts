import type { Sql, SqlValue } from '../sql/sql.ts';

/**
 * A statement as the driver takes it. Few values stand beside it, each with a name and a type; many are literals in it, as a server
 * takes no value of more than 128 KiB, however it is sent.
 */
export interface Statement {
  readonly query: string;
  readonly query_params: Readonly<Record<string, unknown>>;
}

/** Characters of values beside a statement as they stand in its address, which should be as short as balancers want it. */
const MAX_BESIDE = 2000;
/** Of a value without its text. */
const VALUE_CHARACTERS = 20;

/** Places of values; what is no single value says its type behind the question mark. */
const PLACE = /\?(?:\{([^}]*)\})?/g;

/** Texts of users are values themselves, and the SQL of ours has no other question marks. */
export function statementOf({ text, values }: Sql): Statement {
  const isLarge = values.reduce<number>((sum, value) => sum + VALUE_CHARACTERS + lengthOf(value), 0) > MAX_BESIDE;
  const parameters: Record<string, unknown> = {};
  let index = 0;
  const query = text.replaceAll(PLACE, (_place, type: string | undefined) => {
    const name = `p${index}`;
    const value = values[index++] ?? null;
    // Nothing has no type that a value beside a statement could say.
    if (value === null) return 'NULL';
    if (isLarge) return literalOf(value, type);
    parameters[name] = type === undefined ? value : JSON.parse(String(value));
    return `{${name}:${type ?? typeOf(value)}}`;
  });
  return { query, query_params: parameters };
}

/** A text outside ASCII is up to nine times as long in an address; one that is too long as it is need not be encoded. */
function lengthOf(value: SqlValue): number {
  if (typeof value !== 'string') return 0;
  return value.length > MAX_BESIDE ? value.length : new URLSearchParams({ p: value }).toString().length;
}

function typeOf(value: SqlValue): string {
  if (typeof value === 'bigint') return 'Int64';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'Int64' : 'Float64';
  return 'String';
}

/** Has the type that a value beside the statement has. */
function literalOf(value: NonNullable<SqlValue>, type: string | undefined): string {
  if (type === undefined && typeof value === 'string') return quoted(value);
  if (type === undefined) return `CAST(${quoted(String(value))}, '${typeOf(value)}')`;
  const items = JSON.parse(String(value)) as readonly (string | number)[];
  return `CAST([${items.map((item) => (typeof item === 'string' ? quoted(item) : item)).join(',')}], '${type}')`;
}

const SPECIAL = /[\\'\0]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '\0': '\\0' };

function quoted(text: string): string {
  return `'${text.replaceAll(SPECIAL, (character) => ESCAPES[character] ?? character)}'`;
}

/** A list is one value, however long it is. */
export function bindTexts(texts: readonly string[]): Sql {
  return { text: '?{Array(String)}', values: [JSON.stringify(texts)] };
}

export function bindIntegers(numbers: readonly number[]): Sql {
  return { text: '?{Array(Int64)}', values: [JSON.stringify(numbers)] };
}
