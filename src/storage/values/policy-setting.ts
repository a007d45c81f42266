import type { RetentionPolicy } from '../contract/retention.ts';

/** The name of the setting. */
export const POLICY = 'retention';

/** The policy that an engine keeps as JSON. */
export function readPolicy(setting: string | undefined): RetentionPolicy | undefined {
  // Only services write it.
  return setting === undefined ? undefined : (JSON.parse(setting) as RetentionPolicy);
}
