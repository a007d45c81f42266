/** A length of time in microseconds, as `0.4 ms`, `61 ms`, `4.12 s`, `48.2 s`, `6 m 12 s`. */
export function durationText(microseconds: number): string {
  const ms = microseconds / 1000;
  if (ms < 0.01 && ms > 0) return `${Math.max(1, Math.round(microseconds))} µs`;
  if (ms < 10) return `${Number(ms.toFixed(ms < 1 ? 2 : 1))} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  return longText(Math.round(seconds));
}

function longText(seconds: number): string {
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${twoDigits(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600).toLocaleString('en')} h ${twoDigits(Math.floor((seconds % 3600) / 60))} m`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** USD as `$212.40`, `$0.021`, `$0.00041`, `< $0.0001`. */
export function moneyText(usd: number): string {
  if (usd === 0) return '$0.00';
  if (usd < 0.0001) return '< $0.0001';
  if (usd >= 0.1) return `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  return `$${usd.toFixed(1 - Math.floor(Math.log10(usd)))}`;
}

export function countText(count: number): string {
  return count.toLocaleString('en');
}

/** `1 error`, `8 errors`. */
export function countedText(count: number, word: string): string {
  return `${countText(count)} ${word}${count === 1 ? '' : 's'}`;
}
