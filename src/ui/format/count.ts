const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const MILLION = 1_000_000;

/** `18,204`, with a true minus sign. */
export function formatCount(count: number): string {
  return WHOLE.format(count).replace('-', '−');
}

/** As `formatCount`, but `21.4 M` from ten millions on: for sums of tables. */
export function formatSum(count: number): string {
  return count < 10 * MILLION ? formatCount(count) : `${(count / MILLION).toFixed(1)} M`;
}

/** `1 call`, `2 calls`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `3%`, `< 1%` where it is more than none, `> 99%` where it is less than all. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 1) return '< 1%';
  return percent > 99 && percent < 100 ? '> 99%' : `${Math.round(percent)}%`;
}
