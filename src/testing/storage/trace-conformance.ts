import { strict as assert } from 'node:assert';
import { NAMED_PARENT, NO_PARENT, TRACE_STATUSES, type TraceColumns } from '../../storage/contract/trace-columns.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import { usageAt } from '../../storage/values/overviews/trace-columns.ts';
import type { Check, Contracts } from './contract.ts';
import { endFact, NEW_YEAR, PROJECT, SECOND, startFact } from './facts.ts';
import { overviewsIn } from './overviews-conformance.ts';

/** Traces without what their calls hold. */
export function traceConformance({ contract: state }: Contracts): void {
  const contract = (name: string, check: Check) => state(name, check, 'overviews');

  contract('the columns of a trace say what its calls were and used', async (storage) => {
    const usage = { m: { input_tokens: 2, output_tokens: 3 }, n: { input_tokens: 1, provider: 'x' } };
    await storage.calls.write([
      startFact('root', { trace_id: 't', op_name: 'answer', display_name: 'Answer me' }),
      startFact('child', {
        trace_id: 't',
        parent_id: 'root',
        started_at: NEW_YEAR + 1,
        attributes: '{"kind":"llm","provider":"openai"}',
      }),
      endFact('child', {
        exception: 'TypeError: no\n  at f',
        summary: JSON.stringify({ usage, stream: { first_chunk_ms: 12.5 } }),
      }),
      startFact('elsewhere', { trace_id: 'another' }),
      startFact('abroad', { trace_id: 't', project_id: 'acme/other' }),
    ]);
    const [columns, ...others] = await columnsOf(storage);
    assert.ok(columns);
    assert.deepEqual(others, []);
    const { usages, ...rest } = columns;
    assert.deepEqual(rest, {
      count: 2,
      ids: ['root', 'child'],
      parents: Int32Array.of(NO_PARENT, 0),
      namedParents: [],
      startedAt: Float64Array.of(NEW_YEAR, NEW_YEAR + 1),
      endedAt: Float64Array.of(Number.NaN, NEW_YEAR + SECOND),
      ops: [
        { name: 'answer', kind: null },
        { name: 'f', kind: 'llm' },
      ],
      op: Uint32Array.of(0, 1),
      statuses: Uint8Array.of(TRACE_STATUSES.indexOf('running'), TRACE_STATUSES.indexOf('error')),
      displayNames: new Map([[0, 'Answer me']]),
      errors: new Map([[1, 'TypeError: no']]),
      firstChunkMs: new Map([[1, 12.5]]),
    });
    const used = Array.from(usages.places, (place, index) => [place, usageAt(usages, index)] as const);
    assert.deepEqual(
      used.map(([place, { model, provider, tokens }]) => [place, model, provider, tokens.plainPrompt, tokens.total]),
      [
        [1, 'm', 'openai', 2, 5],
        [1, 'n', 'openai', 1, 1],
      ],
    );
  });

  contract('calls of a trace come as they started, of equal ones by their ids', async (storage) => {
    await storage.calls.write([
      startFact('b', { trace_id: 't' }),
      startFact('late', { trace_id: 't', started_at: NEW_YEAR + 2 }),
      startFact('a', { trace_id: 't' }),
      startFact('early', { trace_id: 't', started_at: NEW_YEAR - 1 }),
    ]);
    const ids = (await columnsOf(storage)).flatMap((columns) => columns.ids);
    assert.deepEqual(ids, ['early', 'a', 'b', 'late']);
  });

  contract('a parent that has not come before its call is named', async (storage) => {
    await storage.calls.write([
      startFact('child', { trace_id: 't', parent_id: 'parent' }),
      startFact('own', { trace_id: 't', parent_id: 'own', started_at: NEW_YEAR + 1 }),
      startFact('parent', { trace_id: 't', started_at: NEW_YEAR + 2 }),
    ]);
    const [columns] = await columnsOf(storage);
    assert.deepEqual(columns?.parents, Int32Array.of(NAMED_PARENT, NAMED_PARENT, NO_PARENT));
    assert.deepEqual(columns.namedParents, ['parent', 'own']);
  });

  contract('places of parents are those in the whole trace, however many calls it has', async (storage) => {
    const ids = Array.from({ length: 4500 }, (_item, index) => `c${10_000 + index}`);
    await storage.calls.write(
      ids.map((id, index) => startFact(id, { trace_id: 't', parent_id: index === 0 ? null : (ids[index - 1] ?? '') })),
    );
    const all = await columnsOf(storage);
    assert.deepEqual(
      all.flatMap((columns) => columns.ids),
      ids,
    );
    assert.deepEqual(
      all.flatMap((columns) => [...columns.parents]),
      ids.map((_id, index) => index - 1),
    );
  });

  contract('a trace that nobody knows has no calls', async (storage) => {
    const counts = (await columnsOf(storage)).map(({ count }) => count);
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      0,
    );
  });
}

async function columnsOf(storage: Storage): Promise<TraceColumns[]> {
  const found: TraceColumns[] = [];
  for await (const columns of overviewsIn(storage).trace({ projectId: PROJECT, traceId: 't' })) found.push(columns);
  return found;
}
