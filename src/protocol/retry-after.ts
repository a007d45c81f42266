/** Who asks for a longer pause is asked again after this one: a slip of a proxy must not keep records back for a day. */
export const MAX_RETRY_AFTER_MS = 5 * 60_000;

/**
 * Milliseconds from `now` to what a `Retry-After` header says, in seconds or as a date, 5 minutes at most; `undefined` when
 * it says nothing usable.
 */
export function parseRetryAfter(text: string | null | undefined, now: number): number | undefined {
  const asked = askedMs(text?.trim() ?? '', now);
  return asked === undefined ? undefined : Math.min(Math.max(0, asked), MAX_RETRY_AFTER_MS);
}

function askedMs(text: string, now: number): number | undefined {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // What begins with the name of a day: `Date.parse` makes a date of nearly everything, such as "-5".
  const date = /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date - now;
}
