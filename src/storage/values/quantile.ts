/** The percentile of sorted microseconds in milliseconds, on the straight line between its two neighbours; null of none. */
export function quantileMs(sorted: ArrayLike<number>, percent: number): number | null {
  // Hundredths are whole numbers, so that nothing is rounded before the last step.
  const position = percent * (sorted.length - 1);
  const below = sorted[Math.floor(position / 100)];
  if (below === undefined) return null;
  const above = sorted[Math.ceil(position / 100)] ?? below;
  return (below * 100 + (above - below) * (position % 100)) / 100_000;
}
