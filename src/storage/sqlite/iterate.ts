import type { Row, SqliteValue, Statement } from './driver.ts';

/** An iterator of the driver does not keep its statement alive: one that is collected meanwhile ends the process. */
const held = new Set<Statement>();

/** The rows of a statement, one after the other. */
export function* iterate(statement: Statement, ...values: readonly SqliteValue[]): Generator<Row> {
  held.add(statement);
  try {
    yield* statement.iterate(...values);
  } finally {
    held.delete(statement);
  }
}
