import type { KeptPolicy, KeptRule } from '../../protocol/page/retention.ts';
import type { Reader } from '../../reader/reader.ts';
import { policyText } from '../../storage/values/policy-text.ts';
import type { Finding } from './finding.ts';

/**
 * How long does the service keep what was recorded? Nothing where it does not tell: it is of an older version, slow, or has
 * trouble of which others tell. Nobody may take a service for dead that has answered all else.
 */
export async function checkRetention(reader: Reader, signal: AbortSignal): Promise<Finding[]> {
  try {
    // What another version answers may be anything.
    const policy = (await reader.page.retention({ signal })) as KeptPolicy | null | undefined;
    if (policy === undefined) return [];
    return [
      { level: 'ok', about: 'kept', message: policy === null ? 'each service has its own rule' : textOf(policy) },
    ];
  } catch {
    return [];
  }
}

function textOf({ all, projects }: KeptPolicy): string {
  const rules = Object.entries(projects).map(([project, rule]) => [project, ruleOf(rule)] as const);
  return policyText({ all: ruleOf(all), projects: Object.fromEntries(rules) });
}

function ruleOf({ days, bytes }: KeptRule) {
  return { ...(days !== null && { days }), ...(bytes !== null && { bytes }) };
}
