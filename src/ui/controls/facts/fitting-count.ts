export interface Room {
  readonly px: number;
  readonly gapPx: number;
  /** Of the button for those that do not fit. */
  readonly morePx: number;
}

/** How many of these widths fit beside each other, from the first on; where not all do, with the button behind them. */
export function fittingCount(widths: readonly number[], { px, gapPx, morePx }: Room): number {
  if (widthOf(widths, gapPx) <= px) return widths.length;
  const fits = widths.map((_, index) => widthOf([...widths.slice(0, index + 1), morePx], gapPx) <= px);
  const first = fits.indexOf(false);
  return first === -1 ? widths.length - 1 : Math.min(first, widths.length - 1);
}

/** The width of all of them in a line. */
export function widthOf(widths: readonly number[], gapPx: number): number {
  return widths.reduce((sum, width) => sum + width, 0) + gapPx * Math.max(0, widths.length - 1);
}
