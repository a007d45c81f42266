import { formatLatency } from '../../format/latency.ts';

/** Traces are measured in microseconds, what is written begins with tenths of milliseconds. */
export function durationText(microseconds: number): string {
  return formatLatency(microseconds / 1000);
}
