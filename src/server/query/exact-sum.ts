/**
 * The sum of products of numbers as they are written: 3 times 0.1 is 0.3, where doubles make 0.30000000000000004. It is
 * rounded once, and bounded to what JSON can write.
 */
export function sumOfProducts(products: readonly (readonly [number, number])[]): number {
  const terms = products.map(([left, right]) => {
    const [leftDigits, leftExponent] = decimalOf(left);
    const [rightDigits, rightExponent] = decimalOf(right);
    return [leftDigits * rightDigits, leftExponent + rightExponent] as const;
  });
  const counted = terms.filter(([digits]) => digits !== 0n);
  const exponent = counted.reduce((least, [, each]) => Math.min(least, each), Infinity);
  if (exponent === Infinity) return 0;
  const sum = counted.reduce((total, [digits, each]) => total + digits * 10n ** BigInt(each - exponent), 0n);
  return bounded(Number(`${sum}e${exponent}`));
}

/** A sum or product as JSON can write it. */
export function bounded(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** The shortest digits of a number as an integer, and the power of ten they are multiplied with. */
function decimalOf(value: number): [bigint, number] {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
