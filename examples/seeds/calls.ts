import type { Reader } from 'spoor/reader';
import { writeRecords } from './plan.ts';
import type { Seed } from './seed.ts';

/** Calls of each group: a batch of documents, a page of each, and what is done with it. */
const PER_GROUP = 100;
const OPS = ['load_page', 'split', 'embed', 'rerank', 'chat', 'write'] as const;
const KINDS = ['tool', 'other', 'embedding', 'retriever', 'llm', 'tool'] as const;
/** Every so many calls one fails. */
const FAILS = 997;

/** Of 10,000 calls. */
export const CALLS_10K: Seed = largeTrace(10_000, '019a000000007000800000000000000b');
/** Of 100,000 calls. */
export const CALLS_100K: Seed = largeTrace(100_000, '019a000000007000800000000000000c');

function largeTrace(count: number, traceId: string): Seed {
  return {
    about: `a trace of ${count.toLocaleString('en')} calls`,
    write: async (reader, now) => {
      const root = callOf({ traceId, index: 0, began: now - 2 * count }, count);
      await writeRecords(reader, root);
      const groups = Math.floor((count - 1) / (PER_GROUP + 1));
      for (let group = 0; group < groups; group++)
        await writeGroup(reader, { traceId, index: 0, began: now - 2 * count }, group);
      const left = count - 1 - groups * (PER_GROUP + 1);
      const rest = Array.from({ length: left }, (_, index) =>
        callOf({ traceId, index: count - 1 - index, began: now - 2 * count, parent: idOf(traceId, 0) }, 1),
      );
      await writeRecords(reader, rest.flat());
      return `trace/${traceId}`;
    },
  };
}

interface Place {
  readonly traceId: string;
  /** Of the call in its trace. */
  readonly index: number;
  readonly began: number;
  readonly parent?: string;
}

async function writeGroup(reader: Reader, { traceId, began }: Place, group: number): Promise<void> {
  const first = 1 + group * (PER_GROUP + 1);
  const head = callOf({ traceId, index: first, began, parent: idOf(traceId, 0) }, PER_GROUP);
  const below = Array.from({ length: PER_GROUP }, (_, place) =>
    callOf({ traceId, index: first + 1 + place, began, parent: idOf(traceId, first) }, 1),
  );
  await writeRecords(reader, [...head, ...below.flat()]);
}

/** Start and end of a call that takes as long as so many others. */
function callOf({ traceId, index, began, parent }: Place, length: number): object[] {
  const id = idOf(traceId, index);
  const [op, kind] = length > 1 ? ['index_documents', 'chain'] : [OPS[index % OPS.length], KINDS[index % KINDS.length]];
  const at = (ms: number) => new Date(began + ms).toISOString();
  const start = {
    id,
    trace_id: traceId,
    parent_id: parent ?? null,
    op_name: op,
    started_at: at(2 * index),
    attributes: { kind },
    inputs: { document: Math.floor(index / PER_GROUP), page: index % PER_GROUP },
  };
  const isFailed = index % FAILS === FAILS - 1;
  const result = isFailed ? { exception: 'TimeoutError: no answer after 2 ms' } : { output: { ok: true } };
  const end = { id, ended_at: at(2 * (index + length)), ...result, summary: {} };
  return [
    { mode: 'start', req: { start } },
    { mode: 'end', req: { end } },
  ];
}

function idOf(traceId: string, index: number): string {
  return `${traceId.slice(-4)}-${String(index).padStart(6, '0')}`;
}
