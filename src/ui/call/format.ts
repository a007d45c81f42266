/** A length of time: `0.4 ms`, `61 ms`, `4.12 s`, `48.2 s`, `6 m 12 s`. */
export function durationText(ms: number): string {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} m ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} m`;
}

/** Money: `$212.40`, `$0.021`, `$0.00041`, `< $0.0001`. */
export function moneyText(amount: number, currency = 'USD'): string {
  const sign = currency === 'USD' ? '$' : `${currency} `;
  if (amount === 0) return `${sign}0.00`;
  if (amount < 0.0001) return `< ${sign}0.0001`;
  if (amount >= 0.1) return sign + amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const digits = 1 - Math.floor(Math.log10(amount));
  return sign + amount.toFixed(digits);
}

export function numberText(count: number): string {
  return count.toLocaleString('en');
}
