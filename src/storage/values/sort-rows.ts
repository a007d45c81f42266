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

/** Rows that are kept beyond those that are asked for, so that not every row needs a cut. */
const SPARE_ROWS = 1000;

interface KeyedRow {
  readonly position: number;
  readonly values: readonly SortValue[];
}

/**
 * The positions of rows in the order of the keys; equal rows stay in the order they come in. With `end` so many of the first
 * ones only: about twice as many are kept, however many rows come.
 */
export function sortRows(rows: Iterable<PlacedRow>, keys: readonly RowSortKey[], end = Infinity): number[] {
  let kept: KeyedRow[] = [];
  const cut = (): KeyedRow[] =>
    kept.toSorted((left, right) => compareRecords(left.values, right.values, keys)).slice(0, end);
  for (const { position, val } of rows) {
    kept.push({ position, values: sortValuesOf(parseJson(val), keys) });
    if (kept.length > 2 * end + SPARE_ROWS) kept = cut();
  }
  return cut().map(({ position }) => position);
}

function sortValuesOf(row: JsonValue, keys: readonly RowSortKey[]): SortValue[] {
  return keys.map(({ path }) => sortValueOf(valueAtPath(row, path)));
}
