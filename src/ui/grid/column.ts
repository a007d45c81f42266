import type { ReactNode } from 'react';

/** One column of a grid. */
export interface Column<Row> {
  readonly id: string;
  readonly head: string;
  /** Track of the grid: `84px`, `minmax(120px, 10fr)`. */
  readonly width: string;
  /** The least of it, for what fits. */
  readonly minPx: number;
  readonly isNumber?: boolean;
  /** Field it is sorted by; without one it is not. */
  readonly sortField?: string;
  readonly title?: string;
  readonly className?: string | undefined;
  readonly cell: (row: Row) => ReactNode;
}

/** Columns that have room; those named first in `leaving` go first. */
export function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  widthPx: number,
  leaving: readonly string[],
): readonly Column<Row>[] {
  const kept = [...columns];
  for (const id of leaving) {
    if (kept.reduce((sum, { minPx }) => sum + minPx, 0) <= widthPx) break;
    const at = kept.findIndex((column) => column.id === id);
    if (at >= 0) kept.splice(at, 1);
  }
  return kept;
}
