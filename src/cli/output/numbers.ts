/** `0.4 ms`, `310 ms`, `1.24 s`, `2 m 03 s`, `1 h 02 m`. */
export function formatDuration(micros: number): string {
  const ms = micros / 1000;
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_995) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${twoDigits(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${twoDigits(Math.floor(seconds / 60) % 60)} m`;
}

/** From the shortest to the longest: `2.7–6.0 ms`, `310 ms – 1.24 s`. */
export function formatDurations(micros: readonly number[]): string {
  const shortest = formatDuration(micros.reduce((one, other) => Math.min(one, other)));
  const longest = formatDuration(micros.reduce((one, other) => Math.max(one, other)));
  if (shortest === longest) return longest;
  const [, amount, unit] = /^(\S+) (ms|s)$/.exec(shortest) ?? [];
  return unit !== undefined && /^\S+ (ms|s)$/.exec(longest)?.[1] === unit
    ? `${amount}–${longest}`
    : `${shortest} – ${longest}`;
}

/** `3,902`. */
export function formatCount(count: number): string {
  return grouped(String(count));
}

/** Digits in groups of three. By hand: what formats for all languages takes longer to load than a short command runs. */
export function grouped(digits: string): string {
  const [whole = '', ...fraction] = digits.split('.');
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.');
}

/** `42 %`, `0.4 %`, `0 %`; less than all is never `100 %`. */
export function formatShare(share: number): string {
  const hundredths = share * 100;
  if (hundredths > 0 && hundredths < 9.95) return `${Math.max(hundredths, 0.1).toFixed(1)} %`;
  if (hundredths < 100 && hundredths >= 99.5) return `${Math.min(hundredths, 99.9).toFixed(1)} %`;
  return `${Math.round(hundredths)} %`;
}

/** `12 B`, `4.2 kB`, `100.0 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 999_950 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `2026-01-31 14:09:01` in the local time zone. */
export function formatTime(micros: number): string {
  const time = new Date(micros / 1000);
  const date = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-');
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':')}`;
}

/** `14:09:01` of today, `01-31 14:09` of this year, else `2026-01-31`; `now` is in milliseconds. */
export function formatShortTime(micros: number, now: number = Date.now()): string {
  const text = formatTime(micros);
  const today = formatTime(now * 1000);
  if (text.slice(0, 10) === today.slice(0, 10)) return text.slice(11);
  return text.slice(0, 4) === today.slice(0, 4) ? text.slice(5, 16) : text.slice(0, 10);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
