import type { StoredRow } from './dataset-row.ts';
import { recall, remember } from './published-values.ts';

/** The rows behind the values of a table that this process published. */
const rowsOf = new WeakMap<object, readonly StoredRow[]>();

export function rememberTable(ref: string, rows: readonly StoredRow[]): void {
  const values = rows.map(({ val }) => val);
  rowsOf.set(values, rows);
  remember(
    ref,
    values,
    rows.reduce((total, { bytes }) => total + bytes, 0),
  );
}

/** `undefined` when it was not published here, or too long ago. */
export function recallTable(ref: string): readonly StoredRow[] | undefined {
  const value = recall(ref)?.value;
  return typeof value === 'object' && value !== null ? rowsOf.get(value) : undefined;
}

/** The row with a digest in the values of a table. */
export function rowIn(values: object, digest: string): unknown {
  return rowsOf.get(values)?.find((row) => row.digest === digest)?.val;
}
