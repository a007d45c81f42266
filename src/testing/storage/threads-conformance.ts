import { strict as assert } from 'node:assert';
import { compareCodePoints } from '../../protocol/values/canonical-json.ts';
import type { Expression } from '../../protocol/query.ts';
import type { StartFact } from '../../storage/contract/calls.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { StoredThread } from '../../storage/contract/threads.ts';
import type { Contracts } from './contract.ts';
import { endFact, NEW_YEAR, PROJECT, readIds as readCallIds, SECOND, startFact } from './facts.ts';
import { planOfThreads, type ThreadsRequest } from './plans.ts';

const MILLI = 1000;

/** Ids that an engine may cut, fold, unpack or take for something else. */
const AWKWARD_IDS: string[] = [
  'chat\0',
  'chat',
  '\0',
  '\0\0chat',
  'Chat',
  'chat ',
  'line\r\nline\t',
  'a \'b\' "c" \\ % _ ?',
  '["json"]',
  '\ufeffbyte order',
  '\u0085\u007f\u009b31m',
  'e\u0301',
  '\u00e9',
  'x'.repeat(1024),
  '\u{1f600}'.repeat(1024),
];

/** Threads and the way they are asked for: protocol 5.10 and 9.31. */
export function threadsConformance({ contract }: Contracts): void {
  contract('a new storage has no threads', async (storage) => {
    assert.deepEqual(await readThreads(storage), []);
  });

  contract('a thread says what its turns say together', async (storage) => {
    await turn(storage, 'c1', { startedAt: 0, ms: 1000 });
    await turn(storage, 'c2', { startedAt: 60 * SECOND, ms: 2000 });
    assert.deepEqual(await readThreads(storage), [
      {
        thread_id: 'chat',
        turn_count: 2,
        start_time: NEW_YEAR,
        last_updated: NEW_YEAR + 62 * SECOND,
        first_turn_id: 'c1',
        last_turn_id: 'c2',
        p50_turn_duration_ms: 1500,
        p99_turn_duration_ms: 1990,
      },
    ]);
  });

  contract('only calls that are their own turn count, and only in a thread', async (storage) => {
    await turn(storage, 'c1');
    await storage.calls.write([
      startFact('c2', { thread_id: 'chat', turn_id: 'c1' }),
      startFact('c3', { thread_id: 'chat' }),
      startFact('c4', { turn_id: 'c4' }),
      startFact('c5', { thread_id: 'other' }),
      endFact('c6'),
    ]);
    assert.deepEqual(await readIds(storage), ['chat']);
    assert.equal((await readThreads(storage))[0]?.turn_count, 1);
  });

  contract('a thread whose turns run has no durations and was updated at their start', async (storage) => {
    await turn(storage, 'c1');
    await turn(storage, 'c2', { startedAt: SECOND });
    const [thread] = await readThreads(storage);
    assert.equal(thread?.last_updated, NEW_YEAR + SECOND);
    assert.equal(thread.last_turn_id, 'c2');
    assert.equal(thread.p50_turn_duration_ms, null);
    assert.equal(thread.p99_turn_duration_ms, null);
  });

  contract('a thread and a turn are found by any text, each for itself and among all', async (storage) => {
    const ids = (name: string) => AWKWARD_IDS.map((_id, index) => `${name}${String(index).padStart(2, '0')}`);
    const [turns, others] = [ids('turn'), ids('other')];
    await storage.calls.write([
      ...turns.map((id, index) => startFact(id, { thread_id: AWKWARD_IDS[index] ?? null, turn_id: id })),
      ...others.map((id, index) => startFact(id, { turn_id: AWKWARD_IDS[index] ?? null })),
    ]);
    for (const [index, text] of AWKWARD_IDS.entries()) {
      assert.deepEqual(await readCallIds(storage, { filter: { thread_ids: [text] } }), [turns[index]]);
      assert.deepEqual(await readCallIds(storage, { filter: { turn_ids: [text] } }), [others[index]]);
      assert.deepEqual(await readIds(storage, { filter: { thread_ids: [text] } }), [text]);
      const isThread: Expression = { $eq: [{ $getField: 'thread_id' }, { $literal: text }] };
      assert.deepEqual(await readCallIds(storage, { query: { $expr: isThread } }), [turns[index]]);
      assert.equal((await storage.calls.get(PROJECT, turns[index] ?? ''))?.thread_id, text);
      assert.equal((await storage.calls.get(PROJECT, others[index] ?? ''))?.turn_id, text);
    }
    assert.deepEqual(await readCallIds(storage, { filter: { thread_ids: AWKWARD_IDS } }), turns);
    assert.deepEqual(await readCallIds(storage, { filter: { turn_ids: AWKWARD_IDS } }), others);
    const sort: ThreadsRequest['sort_by'] = [{ field: 'thread_id', direction: 'asc' }];
    assert.deepEqual(await readIds(storage, { sort_by: sort }), AWKWARD_IDS.toSorted(compareCodePoints));
    assert.deepEqual(
      await readIds(storage, { filter: { thread_ids: AWKWARD_IDS }, sort_by: sort }),
      AWKWARD_IDS.toSorted(compareCodePoints),
    );
  });

  contract('a running turn counts, but not for the durations', async (storage) => {
    await turn(storage, 'c1', { ms: 400 });
    await turn(storage, 'c2', { startedAt: 5 * SECOND });
    const [thread] = await readThreads(storage);
    assert.equal(thread?.turn_count, 2);
    assert.equal(thread.p50_turn_duration_ms, 400);
    assert.equal(thread.p99_turn_duration_ms, 400);
  });

  contract('quantiles lie on the line between their neighbours, with fractions', async (storage) => {
    // 0.001, 10, 20, 40 ms in an order of their own.
    for (const [index, ms] of [20, 0.001, 40, 10].entries()) {
      await turn(storage, `c${index}`, { startedAt: index * SECOND, ms });
    }
    const [thread] = await readThreads(storage);
    assert.equal(thread?.p50_turn_duration_ms, 15);
    assert.equal(thread.p99_turn_duration_ms, 39.4);
  });

  contract('a turn that ends before it starts took no time', async (storage) => {
    await turn(storage, 'c1', { ms: -5 });
    assert.equal((await readThreads(storage))[0]?.p50_turn_duration_ms, 0);
  });

  contract('of turns of one time the first has the smallest id and the last the greatest', async (storage) => {
    for (const id of ['c2', 'c3', 'c1']) await turn(storage, id, { ms: 1 });
    const [thread] = await readThreads(storage);
    assert.equal(thread?.first_turn_id, 'c1');
    assert.equal(thread.last_turn_id, 'c3');
  });

  contract('the last turn is the one that ended last, not the one that started last', async (storage) => {
    await turn(storage, 'long', { ms: 60_000 });
    await turn(storage, 'short', { startedAt: SECOND, ms: 1 });
    const [thread] = await readThreads(storage);
    assert.equal(thread?.first_turn_id, 'long');
    assert.equal(thread.last_turn_id, 'long');
    assert.equal(thread.last_updated, NEW_YEAR + 60 * SECOND);
  });

  contract('deleted turns do not count, and a thread goes with its last one', async (storage) => {
    await turn(storage, 'c1');
    await turn(storage, 'c2', { startedAt: SECOND });
    await storage.calls.delete(PROJECT, ['c2'], 1);
    assert.equal((await readThreads(storage))[0]?.last_turn_id, 'c1');
    await storage.calls.delete(PROJECT, ['c1'], 1);
    assert.deepEqual(await readThreads(storage), []);
  });

  contract('threads of one name in two projects are two', async (storage) => {
    await turn(storage, 'c1');
    await turn(storage, 'c1', { start: { project_id: 'acme/other' } });
    assert.equal((await readThreads(storage))[0]?.turn_count, 1);
    assert.equal((await readThreads(storage, { project_id: 'acme/other' }))[0]?.turn_count, 1);
  });

  contract('threads are filtered by their ids', async (storage) => {
    await threads(storage);
    assert.deepEqual(await readIds(storage, { filter: { thread_ids: ['b', 'é', 'unknown', 'b'] } }), ['é', 'b']);
    assert.deepEqual(await readIds(storage, { filter: { thread_ids: [] } }), ['é', 'b', 'a']);
    assert.deepEqual(await readIds(storage, { filter: { thread_ids: ['b\0'] } }), []);
  });

  contract('threads are filtered by their start and their last update, as wholes', async (storage) => {
    await threads(storage);
    const after = (after_datetime: string) => readIds(storage, { filter: { after_datetime } });
    const before = (before_datetime: string) => readIds(storage, { filter: { before_datetime } });
    assert.deepEqual(await after('2026-01-01T00:00:00Z'), ['é', 'b']);
    assert.deepEqual(await after('2025-12-31T23:59:59.999999Z'), ['é', 'b', 'a']);
    // The first turn of `a` lies before it, the last one does not.
    assert.deepEqual(await before('2026-01-01T00:00:05Z'), []);
    assert.deepEqual(await before('2026-01-01T00:00:05.000001Z'), ['a']);
  });

  contract('threads come in every order that can be asked for', async (storage) => {
    await threads(storage);
    const orders = {
      thread_id: ['a', 'b', 'é'],
      turn_count: ['b', 'é', 'a'],
      start_time: ['a', 'b', 'é'],
      last_updated: ['a', 'b', 'é'],
      // Nothing in `b` has ended: it is last in both directions.
      p50_turn_duration_ms: ['é', 'a', 'b'],
      p99_turn_duration_ms: ['é', 'a', 'b'],
    };
    for (const [field, ids] of Object.entries(orders)) {
      assert.deepEqual(await readIds(storage, { sort_by: [{ field, direction: 'asc' }] }), ids, field);
    }
    assert.deepEqual(await readIds(storage, { sort_by: [{ field: 'turn_count', direction: 'desc' }] }), [
      'a',
      'b',
      'é',
    ]);
    const slowest = [{ field: 'p50_turn_duration_ms', direction: 'desc' }] as const;
    assert.deepEqual(await readIds(storage, { sort_by: [...slowest] }), ['a', 'é', 'b']);
  });

  contract('threads are read in pages', async (storage) => {
    await threads(storage);
    assert.deepEqual(await readIds(storage, { limit: 2 }), ['é', 'b']);
    assert.deepEqual(await readIds(storage, { limit: 2, offset: 2 }), ['a']);
    assert.deepEqual(await readIds(storage, { offset: 1 }), ['b', 'a']);
    assert.deepEqual(await readIds(storage, { limit: 0 }), []);
  });

  contract('more threads than a chunk holds are all read', async (storage) => {
    const ids = Array.from({ length: 450 }, (_, index) => `c${1000 + index}`);
    await storage.calls.write(ids.map((id) => startFact(id, { thread_id: `thread-${id}`, turn_id: id })));
    assert.deepEqual(
      await readIds(storage),
      ids.map((id) => `thread-${id}`),
    );
  });
}

/** `a` has two turns and is the oldest, nothing in `b` has ended, `é` is the fastest and the latest. */
async function threads(storage: Storage): Promise<void> {
  await turn(storage, 'a1', { ms: 1000, start: { thread_id: 'a' } });
  await turn(storage, 'a2', { startedAt: 3 * SECOND, ms: 2000, start: { thread_id: 'a' } });
  await turn(storage, 'b1', { startedAt: 6 * SECOND, start: { thread_id: 'b' } });
  await turn(storage, 'e1', { startedAt: 9 * SECOND, ms: 500, start: { thread_id: 'é' } });
}

interface TurnOptions {
  /** Microseconds after the new year. */
  readonly startedAt?: number;
  /** How long it took; a turn without it runs. */
  readonly ms?: number;
  readonly start?: Partial<StartFact>;
}

async function turn(storage: Storage, id: string, { startedAt = 0, ms, start }: TurnOptions = {}): Promise<void> {
  const started_at = NEW_YEAR + startedAt;
  const fact = startFact(id, { thread_id: 'chat', turn_id: id, started_at, ...start });
  const { project_id } = fact;
  const ends = ms === undefined ? [] : [endFact(id, { project_id, ended_at: started_at + ms * MILLI })];
  await storage.calls.write([fact, ...ends]);
}

async function readThreads(storage: Storage, request: Partial<ThreadsRequest> = {}): Promise<StoredThread[]> {
  const found: StoredThread[] = [];
  for await (const chunk of storage.threads.query(planOfThreads({ project_id: PROJECT, ...request }))) {
    found.push(...chunk);
  }
  return found;
}

async function readIds(storage: Storage, request: Partial<ThreadsRequest> = {}): Promise<string[]> {
  return (await readThreads(storage, request)).map(({ thread_id }) => thread_id);
}
