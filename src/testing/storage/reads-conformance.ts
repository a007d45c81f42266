import { strict as assert } from 'node:assert';
import type { EndFact, StartFact } from '../../storage/contract/calls.ts';
import type { ReadOptions } from '../../storage/contract/reads.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { endFact, newFeedback, newObject, NEW_YEAR, PROJECT, readIds, startFact } from './facts.ts';
import { overviewsIn } from './overviews-conformance.ts';
import { planOf, planOfFeedback, planOfThreads, selectionOf } from './plans.ts';
import { newTable } from './tables/table-facts.ts';

/** Requests of readers of every role: an end to a read that takes too long, and leaving it before its end. */
export function readsConformance({ contract }: Contracts): void {
  contract('a read that takes longer than its deadline rejects', async (storage) => {
    await assertDeadlines(storage, READS);
  });

  contract(
    'an overview that takes longer than its deadline rejects',
    async (storage) => {
      await assertDeadlines(storage, OVERVIEWS);
    },
    'overviews',
  );

  contract(
    'leaving outlines early releases them',
    async (storage) => {
      await assertReleased(storage, 1500, () => overviewsIn(storage).outlines(OUTLINE_PLAN));
    },
    'overviews',
  );

  contract(
    'leaving the columns of a trace early releases them',
    async (storage) => {
      // Columns of many calls are one chunk.
      await assertReleased(storage, 4500, () => overviewsIn(storage).trace(TRACE_PLAN));
    },
    'overviews',
  );

  contract('a list of feedback of more characters than its reader takes is refused', async (storage) => {
    const payload = JSON.stringify({ text: 'long '.repeat(100) });
    await storage.feedback.createAll([newFeedback('f1', { payload }), newFeedback('f2')]);
    const plan = planOfFeedback({ project_id: PROJECT });
    await assert.rejects(storage.feedback.query(plan, { maxCharacters: 100 }), { code: 'payload_too_large' });
    assert.equal((await storage.feedback.query(plan, { maxCharacters: 10_000 })).length, 2);
  });
}

/** The table is one of as many rows as there are calls. */
type Read = (storage: Storage, options: ReadOptions, table: string) => Promise<unknown>;

/** Finds nothing, and has to look at each value for it. */
const SEARCH = (field: string) => ({
  $expr: { $contains: { input: { $getField: field }, substr: { $literal: 'needle' } } },
});

const TRACE_PLAN = { projectId: PROJECT, traceId: 't' };

const OUTLINE_PLAN = { ...planOf({ project_id: PROJECT }), hasPreviews: true };

/** Reads that look at all that was written, without a result worth mentioning. */
const READS: Readonly<Record<string, Read>> = {
  'calls.query': async ({ calls }, options) => {
    await drain(calls.query(planOf({ project_id: PROJECT, query: SEARCH('inputs.text') }), options));
  },
  'calls.count': ({ calls }, options) =>
    calls.count(selectionOf({ project_id: PROJECT, query: SEARCH('output.text') }), undefined, options),
  'threads.query': async ({ threads }, options) => {
    await drain(threads.query(planOfThreads({ project_id: PROJECT }), options));
  },
  'feedback.query': ({ feedback }, options) =>
    feedback.query(planOfFeedback({ project_id: PROJECT, query: SEARCH('payload.text') }), options),
  'feedback.count': ({ feedback }, options) =>
    feedback.count(planOfFeedback({ project_id: PROJECT, query: SEARCH('payload.text') }), options),
  'tables.query': async ({ tables }, options, digest) => {
    const sort = [{ path: ['text'], isDescending: true }];
    await drain(tables.query({ projectId: PROJECT, digest, sort, limit: 1, offset: 0 }, options));
  },
  'objects.query': ({ objects }, options) =>
    objects.query({ projectId: PROJECT, latestOnly: false, sort: [BY_NAME], offset: 0, metadataOnly: true }, options),
};

const BY_NAME = { column: 'object_id', isDescending: true } as const;

const OVERVIEWS: Readonly<Record<string, Read>> = {
  'overviews.aggregate': (storage, options) =>
    overviewsIn(storage).aggregate(selectionOf({ project_id: PROJECT, query: SEARCH('inputs.text') }), options),
  'overviews.outlines': (storage, options) => drain(overviewsIn(storage).outlines(OUTLINE_PLAN, options)),
  'overviews.trace': (storage, options) => drain(overviewsIn(storage).trace(TRACE_PLAN, options)),
};

/** Each time as many records more: what is too much for a deadline depends on the machine. */
const ROUNDS = [1000, 2000, 4000];

const TEXT = 'some text that has to be looked at '.repeat(10);

/** No read is as short. */
const DEADLINE_MS = 0.01;

async function assertDeadlines(storage: Storage, reads: Readonly<Record<string, Read>>): Promise<void> {
  const late = new Map(Object.entries(reads));
  let written = 0;
  for (const count of ROUNDS) {
    const table = await writeMany(storage, written, count);
    written += count;
    for (const [name, read] of late) {
      if (await isRefused(read(storage, { deadlineMs: DEADLINE_MS }, table))) late.delete(name);
    }
    if (late.size === 0) return;
  }
  assert.fail(`Of ${written} records, within ${DEADLINE_MS} ms: ${[...late.keys()].join(', ')}`);
}

/** Refused for want of time; another refusal is an error. */
async function isRefused(read: Promise<unknown>): Promise<boolean> {
  try {
    await read;
    return false;
  } catch (error) {
    assert.equal((error as { readonly code?: unknown }).code, 'query_timeout', String(error));
    return true;
  }
}

/** Records at a time: a queue of writes is bounded. */
const BATCH = 500;

/** Records of every role that is read in the order or by the condition of a plan; the digest of the table. */
async function writeMany(storage: Storage, from: number, count: number): Promise<string> {
  for (let first = from; first < from + count; first += BATCH) {
    const ids = Array.from({ length: BATCH }, (_, index) => `c${10_000 + first + index}`);
    await storage.calls.write(ids.flatMap(turnOf));
    await storage.feedback.createAll(
      ids.map((id) => newFeedback(id, { payload: JSON.stringify({ text: TEXT + id }) })),
    );
    // A name of ten is enough: each is a write of its own.
    const named = ids.filter((id) => id.endsWith('0')).map((object_id) => newObject(1, { object_id }));
    await Promise.all(named.map((object) => storage.objects.create(object)));
  }
  const table = newTable(...Array.from({ length: count }, (_, index) => JSON.stringify({ text: TEXT + index })));
  await storage.tables.create(table);
  return table.digest;
}

/** A call in a thread of its own. */
function turnOf(id: string): [StartFact, EndFact] {
  const inputs = JSON.stringify({ text: TEXT + id });
  return [startFact(id, { trace_id: 't', thread_id: id, turn_id: id, inputs }), endFact(id, { output: inputs })];
}

/** Leaves a read after its first chunk, again and again; then all is as if nobody had read. */
async function assertReleased(storage: Storage, count: number, open: () => AsyncIterable<unknown>): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => `c${10_000 + index}`);
  await storage.calls.write(ids.map((id) => startFact(id, { trace_id: 't' })));
  for (let round = 0; round < 20; round++) {
    const read = open()[Symbol.asyncIterator]();
    assert.equal((await read.next()).done, false);
    await read.return?.();
  }
  await storage.calls.write([startFact('after', { started_at: NEW_YEAR + 1 })]);
  assert.equal((await readIds(storage)).at(-1), 'after');
}

async function drain(read: AsyncIterable<unknown>): Promise<void> {
  const chunks = read[Symbol.asyncIterator]();
  while ((await chunks.next()).done !== true);
}
