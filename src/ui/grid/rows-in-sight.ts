/** Rows above and below what is in sight, so that a fast scroll finds some. */
const OVERSCAN = 12;

export interface Sight {
  /** The row at the top edge. */
  readonly first: number;
  /** Rows that the window has room for. */
  readonly room: number;
  readonly count: number;
  /** It holds the focus, so it stays wherever it is; `-1`: there is none. */
  readonly kept: number;
}

/** Rows of one height that have to be there, in their order. */
export function rowsInSight({ first, room, count, kept }: Sight): number[] {
  const from = Math.max(0, first - OVERSCAN);
  const to = Math.min(count, first + room + OVERSCAN);
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  if (kept >= to) rows.push(kept);
  else if (kept >= 0 && kept < from) rows.unshift(kept);
  return rows;
}

/** Scrolls as little as shows a row; one that is far away is shown with what stands before it. */
export function keepInSight(scroller: HTMLElement, row: number, rowPx: number, height: number): void {
  if (row < 0) return;
  const top = row * rowPx;
  if (top >= scroller.scrollTop && top + rowPx <= scroller.scrollTop + height) return;
  const isNear = top + rowPx > scroller.scrollTop - height / 2 && top < scroller.scrollTop + height * 1.5;
  if (!isNear) scroller.scrollTop = top - height / 3;
  else scroller.scrollTop = top < scroller.scrollTop ? top : top + rowPx - height;
}
