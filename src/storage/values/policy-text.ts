import type { RetentionPolicy, RetentionRule } from '../contract/retention.ts';

/** A policy as people read it: `30 days and 20,000,000,000 bytes of each project; acme/kept: all`. */
export function policyText({ all, projects }: RetentionPolicy): string {
  const others = Object.entries(projects).map(([project, rule]) => `; ${project}: ${ruleText(rule)}`);
  return `${ruleText(all)}${all.bytes === undefined ? '' : ' of each project'}${others.join('')}`;
}

function ruleText({ days, bytes }: RetentionRule): string {
  if (days === undefined && bytes === undefined) return 'all';
  const parts = [
    ...(days === undefined ? [] : [`${days} ${days === 1 ? 'day' : 'days'}`]),
    ...(bytes === undefined ? [] : [`${bytes.toLocaleString('en')} bytes`]),
  ];
  return parts.join(' and ');
}
