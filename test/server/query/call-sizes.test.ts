import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { parseCallsQuery, parseCountQuery } from '../../../src/server/query/plan/calls-query.ts';
import { countCalls, queryCalls } from '../../../src/server/query/refs/query-calls.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import type { CallPlan } from '../../../src/storage/contract/plan.ts';
import { PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { observeReads } from '../observe-reads.ts';

const ROOTS = 60;
const TRACE = 'a'.repeat(32);

const CONTEXT = {
  caller: { keyId: 'key', userId: 'user-1', entities: new Set(['*']), mayImport: false },
  limits: DEFAULT_LIMITS,
  signal: new AbortController().signal,
};

test('a trace with many roots is summed once, however many parts the answer has', async () => {
  const plans: CallPlan[] = [];
  const storage = observeReads(openMemoryStorage(), { onQuery: (plan) => plans.push(plan) });
  const roots = Array.from({ length: ROOTS }, (_, index) => startFact(`call-${index}`, { trace_id: TRACE }));
  await storage.calls.write(roots);
  const request = { project_id: PROJECT, include_total_storage_size: true, expand_columns: ['inputs.a'] };

  const sizes: unknown[] = [];
  for await (const lines of queryCalls(storage, parseCallsQuery(request, CONTEXT), CONTEXT)) {
    for (const line of lines) sizes.push((JSON.parse(line) as Record<string, unknown>)['total_storage_size_bytes']);
  }

  expect(sizes).toHaveLength(ROOTS);
  expect(new Set(sizes).size).toBe(1);
  expect(plans.filter(({ filter }) => filter?.traceIds?.includes(TRACE))).toHaveLength(1);

  const count = parseCountQuery(request, CONTEXT);
  const { total_storage_size_bytes: total } = await countCalls(storage, count, CONTEXT);
  expect(total).toBe(Number(sizes[0]) * ROOTS);
});
