import type { Sql } from '../../sql/sql.ts';
import type { DatabaseSync, NamedValues, Row, SqliteValue, Statement } from '../driver.ts';
import { withNames } from './named-values.ts';

/** An iterator of the driver does not keep its statement alive: one that is collected meanwhile ends the process. */
const held = new Set<Statement>();

/** The rows of a statement, one after the other. */
export function* iterate(
  statement: Statement,
  ...values: readonly SqliteValue[] | readonly [NamedValues]
): Generator<Row> {
  held.add(statement);
  try {
    yield* statement.iterate(...(values as [NamedValues]));
  } finally {
    held.delete(statement);
  }
}

/** The rows of a query of ours. */
export function iterateSql(database: DatabaseSync, query: Sql): Generator<Row> {
  const { text, values } = withNames(query);
  return iterate(database.prepare(text), values);
}

/**
 * The rows that keys name, in their order, so many at a time, by a statement that takes a list of keys as JSON and gives
 * the list of their rows as JSON: drivers take three times as long for rows of many columns.
 */
export function* rowListsOfKeys(database: DatabaseSync, keys: Sql, many: Statement, atOnce: number): Generator<string> {
  let portion: number[] = [];
  for (const { pk } of iterateSql(database, keys)) {
    if (portion.push(Number(pk)) < atOnce) continue;
    yield String(many.get(JSON.stringify(portion))?.['rows']);
    portion = [];
  }
  if (portion.length > 0) yield String(many.get(JSON.stringify(portion))?.['rows']);
}

/**
 * The rows that keys name, in their order, each read by `one` when its turn comes. As long as there are keys to read all
 * of it is one moment.
 */
export function* rowsOfKeys(database: DatabaseSync, keys: Sql, one: Statement): Generator<Row> {
  for (const { pk } of iterateSql(database, keys)) {
    const row = one.get(pk ?? null);
    if (row !== undefined) yield row;
  }
}
