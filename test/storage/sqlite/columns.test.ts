import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { planStats } from '../../../src/server/query/plan/plan-overview.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import type { AggregatePlan } from '../../../src/storage/contract/overviews.ts';
import type { RunSums } from '../../../src/storage/contract/runs.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { Aggregator } from '../../../src/storage/sqlite/columns/aggregator.ts';
import { KeptColumns, keepColumns } from '../../../src/storage/sqlite/columns/kept-columns.ts';
import { columnOfField } from '../../../src/storage/sqlite/columns/tally-columns.ts';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/read/dialect.ts';
import { printUnsortedKeys } from '../../../src/storage/sqlite/read/select-calls.ts';
import { migrate } from '../../../src/storage/sqlite/schema/migrate.ts';
import { Writer } from '../../../src/storage/sqlite/write/writer.ts';
import { selectionOfTimes } from '../../../src/storage/values/overviews/overview-plan.ts';
import { endFact, NEW_YEAR, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { seededRandom, type Random } from '../differential/random.ts';
import { randomFacts, RUNS } from '../differential/random-calls.ts';

const SEEDS = 40;
const STEPS = 25;

const FACETS: AggregatePlan['facets'] = [
  { field: { kind: 'text', column: 'op_name' }, limit: 3 },
  { field: { kind: 'text', column: 'status' }, limit: 3 },
  { field: { kind: 'text', column: 'thread_id' }, limit: 3 },
  { field: { kind: 'text', column: 'svc_user_id' }, limit: 3 },
  { field: { kind: 'text', column: 'svc_run_id' }, limit: 3 },
  { field: { kind: 'text', column: 'process_run' }, limit: 3 },
  { field: { kind: 'json', column: 'attributes', path: ['kind'] }, limit: 3 },
  { field: { kind: 'json', column: 'attributes', path: ['user'] }, limit: 3 },
  { field: { kind: 'exceptionType' }, limit: 3 },
  { field: { kind: 'model' }, limit: 3 },
];

/** SQLite that adds up by columns however few the calls are. */
function openColumns() {
  const database = openWriteConnection({ path: ':memory:', durable: 'crash' });
  migrate(database);
  return { database, writer: new Writer(database), aggregator: new Aggregator(database, new KeptColumns(database), 0) };
}

type Columns = ReturnType<typeof openColumns>;

/** One thing that changes calls, done to both. */
async function change(memory: Storage, { writer, database }: Columns, random: Random): Promise<void> {
  const kind = random.below(10);
  if (kind === 0) {
    const ids = [`c${random.below(12)}`];
    await memory.calls.delete(PROJECT, ids, NEW_YEAR);
    writer.writeGroup([{ op: 'delete', projectId: PROJECT, callIds: ids, deletedAt: NEW_YEAR }]);
    if (random.chance(0.5)) writer.purge();
  } else if (kind === 1) {
    const before = NEW_YEAR + random.below(8) * 1_000_000;
    await memory.retention?.removeBefore(PROJECT, before);
    writer.writeGroup([
      { op: 'removeTraces', projectId: PROJECT, traceIds: tracesOf(database), before },
      { op: 'removeHalves', projectId: PROJECT, before },
    ]);
  } else if (kind < 4) {
    database.exec('BEGIN');
    keepColumns(database, 0);
    database.exec('COMMIT');
  } else {
    const all = randomFacts(random);
    const facts = all.slice(0, 1 + random.below(all.length));
    await memory.calls.write(facts);
    writer.writeGroup([{ op: 'writeCalls', facts }]);
    if (random.chance(0.5)) beginSegment(database);
  }
}

/** What is written from now on is in another segment than what is there. */
function beginSegment(database: Columns['database']): void {
  database.exec(`INSERT INTO calls(pk, project, id)
    SELECT ((max(pk) >> 12) + 1) << 12, -1, 'filler-' || max(pk) FROM calls HAVING max(pk) IS NOT NULL`);
}

function tracesOf(database: Columns['database']): string[] {
  return database
    .prepare('SELECT DISTINCT trace_id FROM calls WHERE project > 0 AND started_at IS NOT NULL')
    .all()
    .map((row) => String(row['trace_id']));
}

function randomPlan(random: Random): AggregatePlan {
  const startedAfter = random.chance(0.3) ? NEW_YEAR + random.below(4) * 1_234_567 : undefined;
  const startedBefore = random.chance(0.3) ? NEW_YEAR + random.below(6) * 1_234_567 : undefined;
  const filter = random.pick([{}, {}, { rootsOnly: true }, { userIds: ['user-1'] }] as const);
  return { projectId: PROJECT, filter, startedAfter, startedBefore, histogram: { buckets: 4 }, facets: FACETS };
}

function byColumns({ database, aggregator }: Columns, plan: AggregatePlan) {
  const keys = printUnsortedKeys(selectionOfTimes(plan), sqliteDialect);
  const choice = 'userIds' in plan.filter ? 'some' : plan.filter.rootsOnly === true ? 'roots' : 'all';
  database.exec('BEGIN');
  const sums = aggregator.aggregate({ projectId: PROJECT, keys, plan, choice });
  database.exec('COMMIT');
  return sums;
}

const PLAN_OF_RUNS = { projectId: PROJECT, ids: RUNS };

function runsByColumns({ database, aggregator }: Columns): RunSums[] {
  database.exec('BEGIN');
  const sums = aggregator.sumRuns(PLAN_OF_RUNS);
  database.exec('COMMIT');
  return sums;
}

function byId(sums: readonly RunSums[] = []): RunSums[] {
  return sums.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Sums without the digits that depend on the order of adding: no double has them above 2^53. */
function exact(sums: unknown): unknown {
  const isLarge = (value: unknown): value is number => typeof value === 'number' && value > Number.MAX_SAFE_INTEGER;
  return JSON.parse(JSON.stringify(sums, (_, value: unknown) => (isLarge(value) ? value.toPrecision(14) : value)));
}

test('columns add up to what calls do, whatever is written, ended late, deleted and removed', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = seededRandom(seed);
    const memory = openMemoryStorage();
    const columns = openColumns();
    for (let step = 0; step < STEPS; step++) {
      await change(memory, columns, random);
      const plan = randomPlan(random);
      const expected = await memory.overviews?.aggregate(plan);
      expect(exact(byColumns(columns, plan)), `seed ${seed}, step ${step}`).toEqual(exact(expected));
      const ofRuns = await memory.runs?.sums(PLAN_OF_RUNS);
      expect(exact(byId(runsByColumns(columns))), `runs of seed ${seed}, step ${step}`).toEqual(exact(byId(ofRuns)));
    }
    columns.writer.close();
  }
}, 120_000);

test.each([10, 5000, 50_000, 2_000_000])(
  'calls with attributes and a summary of %i characters have all columns',
  async (length) => {
    const memory = openMemoryStorage();
    const columns = openColumns();
    const text = 'é'.repeat(length);
    const facts = ['a', 'b', 'c'].flatMap((id) => [
      startFact(id, { attributes: JSON.stringify({ text: id === 'b' ? text : '', kind: 'llm', user: 1.5 }) }),
      endFact(id, {
        exception: `Timeout: ${text}`,
        summary: JSON.stringify({ text, usage: { m: { prompt_tokens: 3, completion_tokens: 4 } } }),
      }),
    ]);
    await memory.calls.write(facts);
    columns.writer.writeGroup([{ op: 'writeCalls', facts }]);
    const plan: AggregatePlan = { projectId: PROJECT, filter: {}, histogram: { buckets: 4 }, facets: FACETS };
    const sums = byColumns(columns, plan);
    columns.writer.close();
    expect(sums).toEqual(await memory.overviews?.aggregate(plan));
    expect(sums.facets.map(({ values }) => values[0]?.value)).toEqual(
      expect.arrayContaining(['llm', '1.5', 'Timeout', 'm']),
    );
  },
);

test.each(['op', 'kind', 'state', 'model', 'thread', 'user', 'error'])(
  '%s, by which pages count, is a column: a million calls are not read one by one',
  (field) => {
    const { facets = [] } = planStats({ project_id: PROJECT, facets: [{ field }] }, DEFAULT_LIMITS);
    expect(facets.map((facet) => columnOfField(facet.field))).toEqual([expect.any(String)]);
  },
);
