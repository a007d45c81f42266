import { expect, onTestFinished, test } from 'vitest';
import type { CallFact } from '../../../src/storage/contract/calls.ts';
import type { TraceColumns } from '../../../src/storage/contract/trace-columns.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { KeptColumns, keepColumns } from '../../../src/storage/sqlite/columns/kept-columns.ts';
import { decodeColumns, encodeColumns } from '../../../src/storage/sqlite/columns/segment-columns.ts';
import { makeColumns } from '../../../src/storage/sqlite/columns/make-columns.ts';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/read/dialect.ts';
import { selectTrace } from '../../../src/storage/sqlite/columns/select-trace.ts';
import { printKeys } from '../../../src/storage/sqlite/read/select-calls.ts';
import { migrate } from '../../../src/storage/sqlite/schema/migrate.ts';
import { Writer } from '../../../src/storage/sqlite/write/writer.ts';
import { outlinePlanOf } from '../../../src/storage/values/overviews/overview-plan.ts';
import { usageAt } from '../../../src/storage/values/overviews/trace-columns.ts';
import { endFact, NEW_YEAR, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
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
async function callsOf(trace: AsyncIterable<TraceColumns> | Iterable<TraceColumns>): Promise<unknown[]> {
  const calls: unknown[] = [];
  for await (const columns of trace) {
    let named = 0;
    for (let index = 0; index < columns.count; index++) {
      const parent = columns.parents[index] ?? 0;
      calls.push({ ...callAt(columns, index), parent: parent === -2 ? columns.namedParents[named++] : parent });
    }
  }
  return calls;
}

function openDatabase() {
  const database = openWriteConnection({ path: ':memory:', durable: 'crash' });
  migrate(database);
  onTestFinished(() => database.close());
  return { database, writer: new Writer(database) };
}

type Database = ReturnType<typeof openDatabase>['database'];

const PLAN = { projectId: PROJECT, traceId: 't' };

/** As a connection reads it that has nothing in memory. */
function traceIn(database: Database, kept = new KeptColumns(database)) {
  const { filter, sort, offset } = outlinePlanOf(PLAN);
  const keys = printKeys({ projectId: PROJECT, filter, sort, offset, bodies: new Set() }, sqliteDialect);
  return selectTrace(database, kept, keys);
}

function keepAll(database: Database): void {
  while (keepColumns(database, 0));
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

/** What was begun, with late ends and without two calls. */
function laterFacts(facts: readonly CallFact[]) {
  const ids = [...new Set(facts.map(({ id }) => id))];
  return { gone: [ids[5] ?? '', ids[30] ?? ''], ends: ids.slice(-20).map((id) => endFact(id, { exception: 'late' })) };
}

test.each([50, 2100, 9000])(
  'a trace of about %i calls is told as it is in memory: by calls, by columns that are kept, by some, and by old ones',
  async (size) => {
    const memory = openMemoryStorage();
    const { database, writer } = openDatabase();
    const write = async (facts: readonly CallFact[]) => {
      await memory.calls.write(facts);
      writer.writeGroup([{ op: 'writeCalls', facts }]);
    };
    const check = async (when: string, kept?: KeptColumns) => {
      const expected = await callsOf(overviewsIn(memory).trace(PLAN));
      expect(await callsOf(traceIn(database, kept)), `told ${when}`).toEqual(expected);
    };
    const facts = randomTrace(size, seededRandom(size));
    const half = facts.length / 2;
    await write(facts.slice(0, half));
    keepAll(database);
    await write(facts.slice(half));
    await check('when some are kept');
    keepAll(database);
    const kept = new KeptColumns(database);
    await check('when all are kept', kept);

    const { gone, ends } = laterFacts(facts);
    await memory.calls.delete(PROJECT, gone, NEW_YEAR);
    writer.writeGroup([{ op: 'delete', projectId: PROJECT, callIds: gone, deletedAt: NEW_YEAR }]);
    await write(ends);
    await check('when those in memory are old', kept);
    keepAll(database);
    await check('when they are kept again', kept);
  },
  120_000,
);

test('columns are the same when they were encoded', () => {
  const { database, writer } = openDatabase();
  writer.writeGroup([{ op: 'writeCalls', facts: randomTrace(3000, seededRandom(7)) }]);
  const columns = makeColumns(database, 0);
  expect(columns.chunkMs.length).toBeGreaterThan(0);
  expect(decodeColumns(encodeColumns(columns))).toEqual(columns);
});

test.each([1, 10])(
  'calls that use %i models with long names come in chunks of at most a mebibyte',
  (models) => {
    const { database, writer } = openDatabase();
    const usageOf = (index: number) =>
      Array.from({ length: models }, (_, model) => [`${index}-${model}-${'x'.repeat(2000)}`, { input_tokens: 1 }]);
    const facts = Array.from({ length: 2100 }, (_, index) => [
      startFact(`c${index}`, { trace_id: 't', started_at: NEW_YEAR + index }),
      endFact(`c${index}`, { summary: JSON.stringify({ usage: Object.fromEntries(usageOf(index)) }) }),
    ]);
    writer.writeGroup([{ op: 'writeCalls', facts: facts.flat() }]);
    keepAll(database);
    let count = 0;
    for (const { usages, count: calls } of traceIn(database)) {
      const names = usages.sources.reduce((sum, { model }) => sum + model.length, 0);
      expect(names).toBeLessThanOrEqual(1024 * 1024);
      expect(usages.places.length).toBe(calls * models);
      count += calls;
    }
    expect(count).toBe(2100);
  },
  120_000,
);
