const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** `61 ms`, `4.12 s`, `48.2 s`, `6 m 12 s`, `2 h 05 m`. What rounds up to the next unit is written in it. */
export function formatLatency(ms: number): string {
  if (ms < 0) return `−${formatLatency(-ms)}`;
  if (ms < 0.95) return ms === 0 ? '0 ms' : `${Math.max(0.1, ms).toFixed(1)} ms`;
  if (Math.round(ms) < SECOND) return `${Math.round(ms)} ms`;
  const seconds = ms / SECOND;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  return longLatency(ms);
}

/** With a digit less, for sums: `2.3 s`. */
export function formatRoughLatency(ms: number): string {
  const isSeconds = Math.round(ms) >= SECOND && ms / SECOND < 9.95;
  return isSeconds ? `${(ms / SECOND).toFixed(1)} s` : formatLatency(ms);
}

/** Time that still runs: `1.2 s…`. */
export function formatRunning(ms: number): string {
  const time = Math.max(0, ms);
  return `${time < MINUTE ? `${(time / SECOND).toFixed(1)} s` : longLatency(time)}…`;
}

/** Of a call: one that runs has no end yet, and one that never ended has none at all. */
export function latencyText(
  { state, latency_ms: ms }: { readonly state: string; readonly latency_ms: number | null },
  format: (ms: number) => string = formatLatency,
  running = 'running',
): string {
  if (ms !== null) return format(ms);
  return state === 'never_ended' ? 'no end' : running;
}

/** Change against another time, with its sign: `+0.51 s`, `−31 ms`. */
export function formatLatencyChange(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${formatLatency(Math.abs(ms))}`;
}

function longLatency(ms: number): string {
  const seconds = Math.round(ms / SECOND);
  if (seconds * SECOND < HOUR) return `${Math.floor(seconds / 60)} m ${twoDigits(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} m`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
