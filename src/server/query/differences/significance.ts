/** Calls that have a trait, among how many. Fractions stand for calls that count less than one each. */
export interface Proportion {
  readonly hits: number;
  readonly count: number;
}

/** With fewer expected calls in a cell the chi-squared distribution is no good approximation (Cochran 1954). */
const LEAST_EXPECTED = 5;

/**
 * How likely chance makes two shares differ at least as much where they are the same: Pearson's chi-squared test with Yates'
 * correction of a table of two by two, and Fisher's exact test where a cell is small.
 */
export function chanceOf(one: Proportion, other: Proportion): number {
  const [a, n] = [Math.round(one.hits), Math.round(one.count)];
  const [b, m] = [Math.round(other.hits), Math.round(other.count)];
  const [hits, total] = [a + b, n + m];
  if (n === 0 || m === 0 || hits === 0 || hits === total) return 1;
  const least = (Math.min(n, m) * Math.min(hits, total - hits)) / total;
  return least < LEAST_EXPECTED ? fisher(a, b, n, m) : chiSquared(a, b, n, m);
}

function chiSquared(a: number, b: number, n: number, m: number): number {
  const [hits, total] = [a + b, n + m];
  const apart = Math.max(0, Math.abs(a * (m - b) - b * (n - a)) - total / 2);
  return erfc(Math.sqrt((apart * (total / n) * (apart / m)) / hits / (total - hits) / 2));
}

/** Two-sided: the sum over all tables of these margins that are no likelier than this one. */
function fisher(a: number, b: number, n: number, m: number): number {
  const hits = a + b;
  const chance = (x: number) => Math.exp(logChoose(n, x) + logChoose(m, hits - x) - logChoose(n + m, hits));
  const own = chance(a) * (1 + 1e-7);
  let sum = 0;
  for (let x = Math.max(0, hits - m); x <= Math.min(n, hits); x++) {
    const each = chance(x);
    if (each <= own) sum += each;
  }
  return Math.min(1, sum);
}

/** Natural logarithms of factorials, as far as they were asked for. */
const logFactorials: number[] = [0];

function logFactorial(n: number): number {
  for (let next = logFactorials.length; next <= n; next++) {
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  }
  return logFactorials[n] ?? 0;
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** Numerator of the fraction in `erfc`, highest power first. */
const ERFC = [
  0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196, 1.00002368,
  -1.26551223,
];

/**
 * The complementary error function of a number from 0 on, within 1.2e-7 of its value: Chebyshev fit of Numerical Recipes in C,
 * second edition, section 6.2.
 */
function erfc(z: number): number {
  const t = 1 / (1 + z / 2);
  return Math.min(1, t * Math.exp(ERFC.reduce((sum, factor) => sum * t + factor, 0) - z * z));
}

/**
 * Chances corrected for being many, in their order: where all up to one of these are taken for more than chance, so large a
 * part of them is expected to be chance after all (Benjamini and Hochberg 1995).
 */
export function corrected(chances: readonly number[]): number[] {
  const order = [...chances.keys()].sort((one, other) => (chances[other] ?? 0) - (chances[one] ?? 0));
  const found = chances.map(() => 1);
  let least = 1;
  for (const [above, index] of order.entries()) {
    const rank = chances.length - above;
    least = Math.min(least, ((chances[index] ?? 1) * chances.length) / rank);
    found[index] = least;
  }
  return found;
}
