import type { Sql, SqlValue } from '../../sql/sql.ts';
import type { NamedValues } from '../driver.ts';

/**
 * A statement with a name for each value, and one for all places that have the same: a database takes 32,766
 * values in one statement, and a large query names the paths of its fields again and again.
 */
export function withNames({ text, values }: Sql): { readonly text: string; readonly values: NamedValues } {
  const names = new Map<SqlValue, string>();
  const nameOf = (value: SqlValue) => {
    const name = names.get(value) ?? `$v${names.size}`;
    names.set(value, name);
    return name;
  };
  // Every question mark is the place of a value: texts of users are values themselves, ours have none.
  let index = 0;
  const named = text.replaceAll('?', () => nameOf(values[index++] ?? null));
  return { text: named, values: Object.fromEntries([...names].map(([value, name]) => [name, value])) };
}
