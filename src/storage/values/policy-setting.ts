import { TracingError } from '../../protocol/error.ts';
import { isObject } from '../../protocol/values/parsed-object.ts';
import type { RetentionPolicy } from '../contract/retention.ts';
import type { CheckResult } from '../contract/upkeep.ts';
import { policyText } from './policy-text.ts';

/** The name of the setting. */
export const POLICY = 'retention';

/** The policy that an engine keeps as JSON. Throws a `TracingError` when it is damaged. */
export function readPolicy(setting: string | undefined): RetentionPolicy | undefined {
  if (setting === undefined) return undefined;
  const policy = parsed(setting);
  if (isPolicy(policy)) return policy;
  throw new TracingError(
    'internal_error',
    'Cannot read how long is kept: the setting is damaged. Say it anew with --retain-days',
  );
}

/** Results of a check of the setting; none, where nothing was said. */
export function checkPolicy(setting: string | undefined): CheckResult[] {
  try {
    const policy = readPolicy(setting);
    return policy === undefined ? [] : [{ about: `kept: ${policyText(policy)}` }];
  } catch (error) {
    if (!(error instanceof TracingError)) throw error;
    return [{ about: 'kept', problem: error.message }];
  }
}

function parsed(setting: string): unknown {
  try {
    return JSON.parse(setting);
  } catch {
    // No policy either.
    return undefined;
  }
}

function isPolicy(value: unknown): value is RetentionPolicy {
  if (!isObject(value) || !isObject(value['projects'])) return false;
  return [value['all'], ...Object.values(value['projects'])].every(isRule);
}

function isRule(value: unknown): boolean {
  return isObject(value) && [value['days'], value['bytes']].every((limit) => limit === undefined || isAboveZero(limit));
}

function isAboveZero(limit: unknown): boolean {
  return typeof limit === 'number' && limit > 0;
}
