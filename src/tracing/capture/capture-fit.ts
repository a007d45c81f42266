import type { Captured } from './capture.ts';
import type { CaptureLimits } from './capture-limits.ts';

/** Bytes of JSON that one estimated byte can become at most: a control character is written as `\u0001`. */
const MOST_BYTES = 6;

/** Each try halves what may be kept, and what is left then is marks. */
const MAX_TRIES = 10;

/**
 * The copy of a value when its JSON keeps the limit of a field, else a smaller one. The walk estimates, as it must not
 * look at every character; so the JSON of the few copies is made that could be too large. `again` copies a copy.
 */
export function fitted(
  captured: Captured,
  limits: CaptureLimits,
  again: (value: unknown, limits: CaptureLimits) => Captured,
): Captured {
  const { value, bytes, reading } = captured;
  const { maxFieldBytes } = limits;
  // Copies that go on to be filled are of content that stands for itself; published values have limits of their own.
  if (bytes * MOST_BYTES <= maxFieldBytes || reading !== undefined || limits.maxValues === Number.POSITIVE_INFINITY) {
    return captured;
  }
  let size = jsonBytes(value);
  let smaller = captured;
  let share = maxFieldBytes / size;
  for (let tries = 0; size > maxFieldBytes && tries < MAX_TRIES; tries++) {
    smaller = again(value, {
      ...limits,
      maxFieldBytes: bytes * share,
      maxStringLength: limits.maxStringLength * share,
    });
    size = jsonBytes(smaller.value);
    share /= 2;
  }
  return size > maxFieldBytes
    ? { value: '[cut]', bytes: 7 }
    : { value: smaller.value, bytes: size, hasLate: smaller.hasLate };
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
