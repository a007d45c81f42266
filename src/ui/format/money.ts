const TWO_DECIMALS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Below it no digits are worth reading. */
const SMALLEST = 0.0001;

/** US dollars: `$212.40`, `$0.021`, `$0.00041`, `< $0.0001`. */
export function formatMoney(dollars: number): string {
  if (dollars < 0) return `−${formatMoney(-dollars)}`;
  if (dollars === 0) return '$0';
  if (dollars < SMALLEST) return '< $0.0001';
  return dollars < 0.995 ? `$${twoDigits(dollars)}` : `$${TWO_DECIMALS.format(dollars)}`;
}

/** Two significant digits, never with an exponent. */
function twoDigits(value: number): string {
  const decimals = 1 - Math.floor(Math.log10(Number(value.toPrecision(2))));
  return value.toFixed(decimals);
}
