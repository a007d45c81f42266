import { TracingError } from '../../../protocol/error.ts';

/** Refuses content that is not what the client thought it sent. */
export function checkDigest(expected: string | null | undefined, actual: string): void {
  if (expected === null || expected === undefined || expected === actual) return;
  throw new TracingError('digest_mismatch', `The digest is ${actual}, not the expected one`, {
    extra: { actual_digest: actual },
  });
}
