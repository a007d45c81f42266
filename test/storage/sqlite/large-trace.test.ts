import { expect, onTestFinished, test } from 'vitest';
import type { CallFact } from '../../../src/storage/contract/calls.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import type { TraceColumns } from '../../../src/storage/contract/trace-columns.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { usageAt } from '../../../src/storage/values/overviews/trace-columns.ts';
import { endFact, NEW_YEAR, PROJECT } from '../../../src/testing/storage/facts.ts';
import { overviewsIn } from '../../../src/testing/storage/overviews-conformance.ts';
import { type Random, seededRandom } from '../differential/random.ts';
import { randomFacts } from '../differential/random-calls.ts';

/** Calls of one trace with anything in them, below each other and below some that never come. */
function randomTrace(calls: number, random: Random): CallFact[] {
  const facts: CallFact[] = [];
  for (let group = 0, made = 0; made < calls; group++) {
    const nameOf = (id: string) => `${group}-${id}`;
    const some = randomFacts(random).map((fact) => {
      const id = nameOf(fact.id);
      if (fact.kind !== 'start') return { ...fact, id };
      const parent = fact.parent_id === null ? `${Math.max(0, group - 1)}-c0` : nameOf(fact.parent_id);
      return { ...fact, id, trace_id: 't', parent_id: group === 0 ? null : parent };
    });
    facts.push(...some);
    made += new Set(some.map(({ id }) => id)).size;
  }
  return facts;
}

/** The calls of the trace as they are told, whatever chunks they come in. */
async function callsOf(storage: Storage): Promise<unknown[]> {
  const calls: unknown[] = [];
  for await (const columns of overviewsIn(storage).trace({ projectId: PROJECT, traceId: 't' })) {
    let named = 0;
    for (let index = 0; index < columns.count; index++) {
      const parent = columns.parents[index] ?? 0;
      calls.push({ ...callAt(columns, index), parent: parent === -2 ? columns.namedParents[named++] : parent });
    }
  }
  return calls;
}

function callAt(columns: TraceColumns, index: number) {
  const { ids, startedAt, endedAt, ops, op, statuses, displayNames, errors, firstChunkMs, usages } = columns;
  const uses = Array.from(usages.places.keys()).filter((use) => usages.places[use] === index);
  return {
    id: ids[index],
    times: [startedAt[index], endedAt[index]],
    op: ops[op[index] ?? 0],
    status: statuses[index],
    texts: [displayNames.get(index), errors.get(index)],
    firstChunkMs: firstChunkMs.get(index),
    usages: uses.map((use) => usageAt(usages, use)),
  };
}

test.each([50, 1999, 2000, 6000, 20_000])(
  'a trace of about %i calls is told as it is in memory, when it was written and when it has changed',
  async (size) => {
    const random = seededRandom(size);
    const memory = openMemoryStorage();
    const storage = await openStorage({ engine: 'sqlite' });
    onTestFinished(async () => await storage.close());
    const facts = randomTrace(size, random);
    const write = async (some: readonly CallFact[]) => {
      for (const each of [memory, storage]) await each.calls.write(some);
    };
    for (let at = 0; at < facts.length; at += 500) await write(facts.slice(at, at + 500));
    expect(await callsOf(storage)).toEqual(await callsOf(memory));

    const ids = [...new Set(facts.map(({ id }) => id))];
    for (const each of [memory, storage]) await each.calls.delete(PROJECT, [ids[5] ?? '', ids[30] ?? ''], NEW_YEAR);
    await write(ids.slice(-20).map((id) => endFact(id, { exception: 'late' })));
    expect(await callsOf(storage)).toEqual(await callsOf(memory));
  },
  60_000,
);
