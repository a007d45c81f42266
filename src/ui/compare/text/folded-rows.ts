import type { DiffRow } from './diff-rows.ts';

/** A row of two texts, or a stretch of lines that both have. */
export type FoldedRow =
  | { readonly kind: 'row'; readonly row: DiffRow; readonly index: number }
  | { readonly kind: 'gap'; readonly from: number; readonly count: number };

/** Equal lines that are shown on both sides of those that differ. */
const AROUND = 3;
/** Fewer are shown. */
const LEAST_FOLDED = 4;

/** The rows with long stretches of equal lines folded, but for those that were opened, by the index of their first one. */
export function foldedRows(rows: readonly DiffRow[], opened: ReadonlySet<number>): FoldedRow[] {
  const isNear = nearChanges(rows);
  const folded: FoldedRow[] = [];
  for (let index = 0; index < rows.length;) {
    const end = endOfFar(isNear, index);
    if (end - index >= LEAST_FOLDED && !opened.has(index)) {
      folded.push({ kind: 'gap', from: index, count: end - index });
      index = end;
      continue;
    }
    for (const stop = Math.max(end, index + 1); index < stop; index++) {
      const row = rows[index];
      if (row !== undefined) folded.push({ kind: 'row', row, index });
    }
  }
  return folded;
}

function endOfFar(isNear: readonly boolean[], from: number): number {
  let end = from;
  while (end < isNear.length && isNear[end] !== true) end += 1;
  return end;
}

function nearChanges(rows: readonly DiffRow[]): boolean[] {
  const isNear = rows.map(() => false);
  for (const [index, { isSame }] of rows.entries()) {
    if (isSame) continue;
    isNear.fill(true, Math.max(0, index - AROUND), index + AROUND + 1);
  }
  return isNear;
}
