import type { HrTime } from '@opentelemetry/api';

/** Microseconds since 1970 as seconds and nanoseconds. */
export function hrTimeOf(micros: number): HrTime {
  const seconds = Math.floor(micros / 1_000_000);
  return [seconds, Math.round(micros - seconds * 1_000_000) * 1000];
}

/** Microseconds since 1970, finer digits cut off as the service does. */
export function microsOfHrTime([seconds, nanos]: HrTime): number {
  return seconds * 1_000_000 + Math.floor(nanos / 1000);
}

export function nanosOfHrTime([seconds, nanos]: HrTime): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
}
