import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { parseJson } from '../../protocol/values/json.ts';
import { valueAtPath } from './json-path.ts';
import type { RowSortKey } from '../contract/plan.ts';
import { compareRecords } from './sort-records.ts';
import { type SortValue, sortValueOf } from './sort-values.ts';

/** A place in a table and the canonical text of the row there. */
export interface PlacedRow {
  readonly position: number;
  readonly val: string;
}

/** The positions of rows in the order of the keys; equal rows stay in the order they come in. */
export function sortRows(rows: Iterable<PlacedRow>, keys: readonly RowSortKey[]): number[] {
  const keyed: { readonly position: number; readonly values: readonly SortValue[] }[] = [];
  for (const { position, val } of rows) keyed.push({ position, values: sortValuesOf(parseJson(val), keys) });
  keyed.sort((left, right) => compareRecords(left.values, right.values, keys));
  return keyed.map(({ position }) => position);
}

function sortValuesOf(row: JsonValue, keys: readonly RowSortKey[]): SortValue[] {
  return keys.map(({ path }) => sortValueOf(valueAtPath(row, path)));
}
