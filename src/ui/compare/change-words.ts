import { formatLatency, formatLatencyChange } from '../format/latency.ts';
import { formatMoney } from '../format/money.ts';

/** A change of a number as it stands beside it. */
export interface ChangeWords {
  readonly text: string;
  /** Worth a look: slower or dearer by more than runs differ by themselves. */
  readonly isWorse: boolean;
}

/** Smaller shares are noise. */
const LEAST_SHARE = 0.1;
const LEAST_MS = 200;
/** Less money has no digits that are worth reading. */
const LEAST_MONEY = 0.0001;

/** `+0.51 s`; undefined where nothing changed that one can read, and where nobody knows one of both, which is NaN. */
export function latencyChange(a: number, b: number): ChangeWords | undefined {
  if (Number.isNaN(a) || Number.isNaN(b) || formatLatency(a) === formatLatency(b)) return undefined;
  const change = b - a;
  return { text: formatLatencyChange(change), isWorse: change >= LEAST_MS && change >= a * LEAST_SHARE };
}

/** `+$0.0031`; undefined as with times. */
export function costChange(a: number, b: number): ChangeWords | undefined {
  const change = b - a;
  if (Number.isNaN(change) || change === 0) return undefined;
  if (Math.abs(change) < LEAST_MONEY)
    return { text: `${change < 0 ? '−' : ''}${formatMoney(Math.abs(change))}`, isWorse: false };
  const text = `${change < 0 ? '−' : '+'}${formatMoney(Math.abs(change))}`;
  return { text, isWorse: change > 0 && change >= a * LEAST_SHARE };
}

/** `+14%`; undefined where there was nothing, or where it rounds to none. */
export function shareChange(before: number | null, after: number | null): string | undefined {
  if (before === null || after === null || before === 0) return undefined;
  const percent = Math.round(((after - before) / before) * 100);
  return percent === 0 ? undefined : `${percent < 0 ? '−' : '+'}${Math.abs(percent)}%`;
}

/** Is a share as large as to be looked at? @param isMore it is worse when there is more of it */
export function isWorseShare(before: number | null, after: number | null, isMore = true): boolean {
  if (before === null || after === null || before === 0) return false;
  const share = (after - before) / before;
  return isMore ? share >= LEAST_SHARE : share <= -LEAST_SHARE;
}
