import { expect, test } from 'vitest';
import { decodeSkeleton } from '../../../src/protocol/page/decode-skeleton.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { NO_PARENT, type TraceColumns } from '../../../src/storage/contract/trace-columns.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { overviewsOf } from '../../../src/storage/values/overviews/read-overviews.ts';
import { serverPerTest } from '../server-per-test.ts';
import { PROJECT } from './seed.ts';

const startService = serverPerTest();

const CALLS = 100_000;
const HALF = CALLS / 2;
const START_US = Date.UTC(2026, 0, 1) * 1000;

/** Calls of one op below the first of all. */
function columnsOf(first: number, count: number): TraceColumns {
  const column = <Value>(value: (call: number) => Value): Value[] =>
    Array.from({ length: count }, (_, index) => value(first + index));
  return {
    count,
    ids: column((call) => `call-${call}`),
    parents: Int32Array.from(column((call) => (call === 0 ? NO_PARENT : 0))),
    namedParents: [],
    startedAt: Float64Array.from(column((call) => START_US + call)),
    endedAt: Float64Array.from(column((call) => START_US + call + 1)),
    ops: [{ name: 'step', kind: 'tool' }],
    op: new Uint32Array(count),
    statuses: new Uint8Array(count),
    displayNames: new Map(),
    errors: new Map(),
    firstChunkMs: new Map(),
    usages: { sources: [], places: new Uint32Array(), source: new Uint32Array(), tokens: new Float64Array() },
  };
}

/** A storage that has half of a trace, and the rest of it when it is told to. */
function halvingStorage(): { readonly storage: Storage; readonly goOn: () => void } {
  const memory = openMemoryStorage();
  const rest = new AbortController();
  const isTold = new Promise((resolve) => rest.signal.addEventListener('abort', resolve));
  const trace = async function* (): AsyncGenerator<TraceColumns> {
    yield columnsOf(0, HALF);
    await isTold;
    yield columnsOf(HALF, HALF);
  };
  const overviews = { ...overviewsOf(memory.calls), trace };
  return { storage: { ...memory, overviews }, goOn: () => rest.abort() };
}

test.each(['identity', 'gzip'])(
  'a trace of 100,000 calls is sent as it is read, not collected first (%s)',
  async (encoding) => {
    const { storage, goOn } = halvingStorage();
    const service = await startService({ storage });
    const response = await fetch(`${service.url}/x/trace/skeleton`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}`, 'accept-encoding': encoding },
      body: JSON.stringify({ project_id: PROJECT, trace_id: 'trace-1' }),
    });
    expect(response.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
    const reader = response.body?.getReader();
    const first = (await reader?.read())?.value ?? new Uint8Array();
    expect(first.length).toBeGreaterThan(0);
    goOn();
    const parts = [first];
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) parts.push(part.value);
    const skeleton = decodeSkeleton(Buffer.concat(parts));
    expect(skeleton.count).toBe(CALLS);
    expect([skeleton.ids[HALF - 1], skeleton.ids[HALF], skeleton.ids.at(-1)]).toEqual([
      `call-${HALF - 1}`,
      `call-${HALF}`,
      `call-${CALLS - 1}`,
    ]);
    expect(skeleton.parents.filter((parent) => parent === 0)).toHaveLength(CALLS - 1);
  },
);
