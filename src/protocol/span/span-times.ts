import { formatDateTime } from '../values/date-time.ts';

/** Microseconds of nanoseconds, finer digits cut off; `undefined` beyond the years that a service can store. */
export function microsOfNanos(nanos: bigint): number | undefined {
  const micros = Number(nanos / 1000n);
  return Number.isSafeInteger(micros) ? micros : undefined;
}

/** A time as text, with all of its digits; null for none. */
export function textOfNanos(nanos: bigint): string | null {
  const micros = nanos === 0n ? undefined : microsOfNanos(nanos);
  if (micros === undefined) return null;
  const rest = nanos % 1000n;
  if (rest === 0n) return formatDateTime(micros);
  const seconds = formatDateTime(Number(nanos / 1_000_000_000n) * 1_000_000).slice(0, -1);
  return `${seconds}.${(nanos % 1_000_000_000n).toString().padStart(9, '0')}Z`;
}
