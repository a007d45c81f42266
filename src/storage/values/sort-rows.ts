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

/** The positions of rows in the order of the keys; equal rows stay in the order they come in. With `end` the first ones only. */
export function sortRows(rows: Iterable<PlacedRow>, keys: readonly RowSortKey[], end = Infinity): number[] {
  const sorted = new SortedRows(keys, end);
  sorted.take(rows);
  return sorted.positions();
}

/**
 * Rows that come in portions and are sorted; of each its position and the values it is sorted by are kept. With `end` so many
 * of the first ones only: about twice as many are kept, however many rows come.
 */
export class SortedRows {
  readonly #keys: readonly RowSortKey[];
  readonly #end: number;
  #kept: KeyedRow[] = [];

  constructor(keys: readonly RowSortKey[], end = Infinity) {
    this.#keys = keys;
    this.#end = end;
  }

  take(rows: Iterable<PlacedRow>): void {
    for (const { position, val } of rows) {
      this.#kept.push({ position, values: sortValuesOf(parseJson(val), this.#keys) });
      if (this.#kept.length > 2 * this.#end + SPARE_ROWS) this.#cut();
    }
  }

  positions(): number[] {
    this.#cut();
    return this.#kept.map(({ position }) => position);
  }

  #cut(): void {
    this.#kept = this.#kept
      .toSorted((left, right) => compareRecords(left.values, right.values, this.#keys))
      .slice(0, this.#end);
  }
}

function sortValuesOf(row: JsonValue, keys: readonly RowSortKey[]): SortValue[] {
  return keys.map(({ path }) => sortValueOf(valueAtPath(row, path)));
}
