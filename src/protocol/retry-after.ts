/**
 * Milliseconds from `now` to what a `Retry-After` header says, in seconds or as a date; `undefined` when it says
 * nothing usable.
 */
export function parseRetryAfter(text: string | null | undefined, now: number): number | undefined {
  const asked = askedMs(text?.trim() ?? '', now);
  return asked === undefined ? undefined : Math.max(0, asked);
}

function askedMs(text: string, now: number): number | undefined {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // What begins with the name of a day: `Date.parse` makes a date of nearly everything, such as "-5".
  const date = /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date - now;
}
