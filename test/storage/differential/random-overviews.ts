import type { AggregatePlan, FacetField } from '../../../src/storage/contract/overviews.ts';
import { NEW_YEAR } from '../../../src/testing/storage/facts.ts';
import { KEYS } from './random-calls.ts';
import type { Random } from './random.ts';

const COLUMNS = ['op_name', 'status', 'thread_id', 'svc_user_id', 'svc_run_id', 'display_name', 'trace_name'] as const;
const BODIES = ['attributes', 'inputs', 'output', 'summary'] as const;

/** What else than a selection an aggregate has. */
export function randomAsked(random: Random): Partial<AggregatePlan> {
  const startedAfter = random.chance(0.2) ? NEW_YEAR + random.below(4) * 1_234_567 : undefined;
  const startedBefore = random.chance(0.2) ? NEW_YEAR + random.below(6) * 1_234_567 : undefined;
  return {
    ...(startedAfter !== undefined && { startedAfter }),
    ...(startedBefore !== undefined && { startedBefore }),
    ...(random.chance(0.7) && { histogram: { buckets: 1 + random.below(5) } }),
    facets: Array.from({ length: random.below(4) }, () => ({ field: randomField(random), limit: random.below(4) })),
  };
}

function randomField(random: Random): FacetField {
  if (random.chance(0.2)) return { kind: 'exceptionType' };
  if (random.chance(0.2)) return { kind: 'model' };
  if (random.chance(0.5)) return { kind: 'text', column: random.pick(COLUMNS) };
  const path = Array.from({ length: random.below(3) }, () => random.pick(KEYS));
  return { kind: 'json', column: random.pick(BODIES), path };
}
