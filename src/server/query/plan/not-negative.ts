import { TracingError } from '../../../protocol/error.ts';

/** A `limit` or `offset`, undefined where there is none. Throws `invalid_request` for a negative one. */
export function notNegative(name: string, value: number | null | undefined): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (value < 0) throw new TracingError('invalid_request', `Cannot read: ${name} is below 0`);
  return value;
}
