import { strict as assert } from 'node:assert';
import type { CallFact } from '../../../storage/contract/calls.ts';
import type { RunPlan, RunStore, StoredRun } from '../../../storage/contract/runs.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import type { Contracts } from '../contract.ts';
import { countCalls, endFact, NEW_YEAR, PROJECT, readCalls, readIds, SECOND, startFact } from '../facts.ts';

const OTHER = 'acme/other';
const FIRST = 'p00000000000000a1';
const SECOND_RUN = 'p00000000000000b2';
const THIRD = 'p00000000000000c3';

/** Runs of processes, and the calls that they have recorded. */
export function runsConformance({ contract }: Contracts): void {
  const ofRuns = (name: string, check: (storage: Storage, runs: RunStore) => Promise<void>) =>
    contract(name, (storage) => check(storage, runsOf(storage)), 'runs');

  ofRuns('a run is there when a start of one of its calls is written', async (storage, runs) => {
    await storage.calls.write([inRun(FIRST, 'c1', 0, 'svc:///acme/demo/op/answer:abc')]);
    assert.deepEqual(await list(runs), [
      {
        project_id: PROJECT,
        id: FIRST,
        entry_op: 'answer',
        first_at: NEW_YEAR,
        last_at: NEW_YEAR,
        started_at: null,
        pid: null,
        host: null,
        version: null,
        commit: null,
        is_dirty: null,
      },
    ]);
  });

  ofRuns('a run that was noted and an end alone are no run', async (storage, runs) => {
    await runs.note({ project_id: PROJECT, id: FIRST, pid: 1 });
    await storage.calls.write([endFact('c1', { process_run: SECOND_RUN })]);
    assert.deepEqual(await list(runs), []);
    await storage.calls.write([inRun(SECOND_RUN, 'c1', 5, 'f')]);
    const [run] = await list(runs);
    assert.deepEqual([run?.first_at, run?.last_at], [NEW_YEAR + 5 * SECOND, NEW_YEAR + 5 * SECOND]);
  });

  ofRuns('times and the entry op of a run follow from facts in any order and any batches', async (storage, runs) => {
    await storage.calls.write([
      inRun(FIRST, 'late', 10, 'late'),
      { ...endFact('late', { process_run: FIRST }), ended_at: NEW_YEAR + 30 * SECOND },
    ]);
    await storage.calls.write([inRun(FIRST, 'early', 2, 'early'), inRun(FIRST, 'later', 3, 'later')]);
    await storage.calls.write([inRun(FIRST, 'last', 20, 'last')]);
    await storage.calls.write([inRun(FIRST, 'early', 2, 'early')]);
    const [run, ...others] = await list(runs);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [run?.entry_op, run?.first_at, run?.last_at],
      ['early', NEW_YEAR + 2 * SECOND, NEW_YEAR + 30 * SECOND],
    );
  });

  ofRuns('words on a run come in any order, and of two that differ the same one stays', async (storage, runs) => {
    const words = [
      { host: 'build-7 "ü"', pid: 4711, version: '1.2.3', commit: 'a'.repeat(40), started_at: NEW_YEAR - SECOND },
      { is_dirty: false },
      { is_dirty: true, started_at: NEW_YEAR - 2 * SECOND },
      { host: 'build-8', is_dirty: false },
      {},
    ];
    for (const [id, order] of [
      [FIRST, words],
      [SECOND_RUN, words.toReversed()],
    ] as const) {
      await storage.calls.write([inRun(id, `of-${id}`, 0)]);
      for (const said of order) await runs.note({ project_id: PROJECT, id, ...said });
    }
    const said = { host: 'build-8', pid: 4711, version: '1.2.3', commit: 'a'.repeat(40), is_dirty: true };
    const found = await list(runs);
    assert.equal(found.length, 2);
    for (const run of found) assert.deepEqual(run, { ...run, ...said, started_at: NEW_YEAR - 2 * SECOND });
  });

  ofRuns('a run is clean where that alone was said', async (storage, runs) => {
    await storage.calls.write([inRun(FIRST, 'c1', 0)]);
    await Promise.all([
      runs.note({ project_id: PROJECT, id: FIRST, is_dirty: false }),
      runs.note({ project_id: PROJECT, id: FIRST, pid: 4711 }),
      runs.note({ project_id: PROJECT, id: FIRST, host: 'build-7' }),
    ]);
    const [run] = await list(runs);
    assert.deepEqual([run?.is_dirty, run?.pid, run?.host], [false, 4711, 'build-7']);
  });

  ofRuns('runs come by their first calls, the last one first, in pages', async (storage, runs) => {
    await storage.calls.write([
      inRun(SECOND_RUN, 'b', 2),
      inRun(FIRST, 'a', 1),
      inRun(THIRD, 'c', 2),
      inRun(FIRST, 'a2', 9),
    ]);
    assert.deepEqual((await list(runs)).map(idOf), [THIRD, SECOND_RUN, FIRST]);
    const [first] = await list(runs, { limit: 1 });
    assert.equal(first?.id, THIRD);
    assert.deepEqual((await list(runs, { after: first, limit: 1 })).map(idOf), [SECOND_RUN]);
    assert.deepEqual((await list(runs, { after: first })).map(idOf), [SECOND_RUN, FIRST]);
  });

  ofRuns('runs are found by their ids and by their entry op', async (storage, runs) => {
    await storage.calls.write([
      inRun(FIRST, 'a', 1, 'answer'),
      inRun(FIRST, 'a2', 2, 'other'),
      inRun(SECOND_RUN, 'b', 2, 'answer:more'),
    ]);
    assert.deepEqual((await list(runs, { entryOp: 'answer' })).map(idOf), [FIRST]);
    assert.deepEqual((await list(runs, { ids: [SECOND_RUN, THIRD] })).map(idOf), [SECOND_RUN]);
    assert.deepEqual((await list(runs, { ids: [SECOND_RUN], entryOp: 'answer' })).map(idOf), []);
  });

  ofRuns('the same id in another project is another run', async (storage, runs) => {
    await storage.calls.write([
      inRun(FIRST, 'c1', 0),
      { ...inRun(FIRST, 'c1', 7, 'g'), project_id: OTHER, trace_id: 'of-other' },
    ]);
    await runs.note({ project_id: OTHER, id: FIRST, pid: 9 });
    const [own] = await list(runs);
    const [other] = await list(runs, { projectId: OTHER });
    assert.deepEqual([own?.entry_op, own?.pid], ['f', null]);
    assert.deepEqual([other?.entry_op, other?.pid, other?.first_at], ['g', 9, NEW_YEAR + 7 * SECOND]);
  });

  ofRuns('a call says its run, and queries find calls by it', async (storage) => {
    await storage.calls.write([
      inRun(FIRST, 'a', 0),
      endFact('a'),
      inRun(FIRST, 'b', 1),
      inRun(SECOND_RUN, 'c', 2),
      endFact('c', { process_run: SECOND_RUN }),
      startFact('d', { started_at: NEW_YEAR + 3 * SECOND }),
    ]);
    assert.deepEqual(
      (await readCalls(storage)).map(({ id, process_run }) => [id, process_run ?? null]),
      [
        ['a', FIRST],
        ['b', FIRST],
        ['c', SECOND_RUN],
        ['d', null],
      ],
    );
    assert.equal((await storage.calls.get(PROJECT, 'a'))?.process_run, FIRST);
    const run = { $getField: 'process_run' };
    const isFirst = { $eq: [run, { $literal: FIRST }] as [object, object] };
    const isAny = { $in: [run, [{ $literal: SECOND_RUN }, { $literal: THIRD }]] };
    const ids = async ($expr: object) => await readIds(storage, { query: { $expr } as never });
    assert.deepEqual(await ids(isFirst), ['a', 'b']);
    assert.deepEqual(await ids(isAny), ['c']);
    assert.deepEqual(await ids({ $not: [isFirst] }), ['c']);
    assert.deepEqual(await ids({ $eq: [run, { $literal: null }] }), ['d']);
    assert.deepEqual(await ids({ $or: [isAny, isFirst] }), ['a', 'b', 'c']);
    assert.deepEqual(await ids({ $eq: [run, { $literal: 'p0000000000000000' }] }), []);
    assert.equal(await countCalls(storage, { query: { $expr: isFirst } as never }), 2);
  });

  ofRuns('the first start of a call says its run', async (storage) => {
    await storage.calls.write([inRun(FIRST, 'c1', 0)]);
    await storage.calls.write([inRun(SECOND_RUN, 'c1', 0)]);
    assert.equal((await storage.calls.get(PROJECT, 'c1'))?.process_run, FIRST);
  });

  ofRuns(
    'a run stays when its calls are deleted, and what is said of them later counts for its times',
    async (storage, runs) => {
      await storage.calls.write([inRun(FIRST, 'c1', 0)]);
      await storage.calls.delete(PROJECT, ['c1'], NEW_YEAR);
      assert.deepEqual((await list(runs)).map(idOf), [FIRST]);
      await storage.calls.write([endFact('c1', { process_run: FIRST, ended_at: NEW_YEAR + 9 * SECOND })]);
      const [run] = await list(runs);
      assert.equal(run?.last_at, NEW_YEAR + 9 * SECOND);
    },
  );

  ofRuns('the calls of runs are added up, of each for itself', async (storage, runs) => {
    const uses = (tokens: number, model = 'm') =>
      JSON.stringify({ usage: { [model]: { requests: 1, input_tokens: tokens, output_tokens: 1 } } });
    await storage.calls.write([
      inRun(FIRST, 'root', 0),
      endFact('root', { process_run: FIRST, summary: uses(10), exception: 'Error: no' }),
      // Below a call of its own run, which has added it up.
      { ...inRun(FIRST, 'within', 1), parent_id: 'root' },
      endFact('within', { process_run: FIRST, summary: uses(10) }),
      // Below a call of another run, with a call of neither in between.
      { ...startFact('between', { started_at: NEW_YEAR + SECOND }), parent_id: 'root' },
      { ...inRun(SECOND_RUN, 'other', 2), parent_id: 'between' },
      endFact('other', { process_run: SECOND_RUN, summary: uses(7, 'n') }),
      inRun(SECOND_RUN, 'open', 3),
      inRun(SECOND_RUN, 'gone', 3),
      inRun(THIRD, 'gone-too', 4),
    ]);
    await storage.calls.delete(PROJECT, ['gone', 'gone-too'], NEW_YEAR);
    const ids = [FIRST, SECOND_RUN, THIRD, 'p0000000000000000'];
    const sums = (await runs.sums({ projectId: PROJECT, ids })).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    assert.deepEqual(
      sums.map(({ id, count, errors, running, tokens, models }) => [
        [id, count, errors, running, tokens.total],
        models.map(({ model, calls, tokens: { total } }) => [model, calls, total]),
      ]),
      [
        [[FIRST, 2, 1, 0, 11], [['m', 1, 11]]],
        [[SECOND_RUN, 2, 0, 1, 8], [['n', 1, 8]]],
      ],
    );
    assert.deepEqual(await runs.sums({ projectId: OTHER, ids }), []);
  });

  ofRuns('a run stays while one of its calls does, with all that was said of it', async (storage, runs) => {
    const { retention } = storage;
    if (retention === undefined) return;
    await storage.calls.write([
      { ...inRun(FIRST, 'asks', 0), trace_id: 't1' },
      { ...inRun(SECOND_RUN, 'answers', 100), trace_id: 't1' },
      { ...inRun(THIRD, 'alone', 0), trace_id: 't2' },
    ]);
    for (const id of [FIRST, SECOND_RUN, THIRD]) await runs.note({ project_id: PROJECT, id, pid: 7 });
    const time = NEW_YEAR + 50 * SECOND;
    for (let removed = 1; removed > 0;) removed = (await retention.removeBefore(PROJECT, time)).calls;
    const left = await list(runs, { ids: [FIRST, SECOND_RUN] });
    assert.deepEqual(
      left.map(({ id, pid }) => [id, pid]),
      [
        [SECOND_RUN, 7],
        [FIRST, 7],
      ],
    );
    assert.equal((await storage.calls.get(PROJECT, 'asks'))?.process_run, FIRST);
  });
}

function runsOf({ runs }: Storage): RunStore {
  assert(runs, 'The storage keeps no runs');
  return runs;
}

async function list(runs: RunStore, plan: Partial<RunPlan> = {}): Promise<StoredRun[]> {
  return await runs.list({ projectId: PROJECT, limit: 10, ...plan });
}

function inRun(run: string, id: string, seconds: number, op = 'f'): CallFact & { readonly kind: 'start' } {
  return startFact(id, { started_at: NEW_YEAR + seconds * SECOND, op_name: op, process_run: run });
}

function idOf({ id }: StoredRun): string {
  return id;
}
