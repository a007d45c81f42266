import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { TracingError } from '../../../src/protocol/error.ts';
import { readRows, streamRows } from '../../../src/server/query/rows/call-rows.ts';
import type { RowSources } from '../../../src/server/query/rows/row-sources.ts';
import type { StartFact } from '../../../src/storage/contract/calls.ts';
import type { OverviewReader } from '../../../src/storage/contract/overviews.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { overviewsOf } from '../../../src/storage/values/overviews/read-overviews.ts';

const PROJECT = 'acme/demo';
const COUNT = 1200;
/** More than the clock is not looked at for. */
const CHUNK = 300;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function start(index: number): StartFact {
  const none = { display_name: null, parent_id: null, thread_id: null, turn_id: null, otel_dump: null };
  const run = { svc_user_id: 'user', svc_run_id: null, svc_run_step: null };
  const bodies = { attributes: '{}', inputs: '{}', input_refs: [] };
  const named = { project_id: PROJECT, id: `call-${String(index).padStart(4, '0')}`, op_name: 'answer' };
  const trace = { trace_id: 'trace', fallback_trace_id: 'trace', started_at: 1_800_000_000_000_000 + index };
  return { kind: 'start', ...none, ...run, ...bodies, ...named, ...trace };
}

/** Calls come in small chunks; a read that was begun long ago is over, as engines end it. */
async function openSources(): Promise<RowSources> {
  const storage = openMemoryStorage();
  await storage.calls.write(Array.from({ length: COUNT }, (_, index) => start(index)));
  const overviews = overviewsOf(storage.calls);
  const outlines: OverviewReader['outlines'] = async function* (plan, options) {
    const until = performance.now() + (options?.deadlineMs ?? Infinity);
    for await (const chunk of overviews.outlines(plan, options)) {
      for (let at = 0; at < chunk.length; at += CHUNK) {
        if (performance.now() > until) throw new TracingError('query_timeout', 'Cannot finish the read: too long');
        yield chunk.slice(at, at + CHUNK);
      }
    }
  };
  return {
    ...storage,
    overviews: { ...overviews, outlines },
    defaultPrices: { listed: new Map(), bundled: async () => undefined },
  };
}

const caller = { keyId: 'key', userId: 'user', entities: new Set(['*']), mayImport: false };
const context = { caller, limits: DEFAULT_LIMITS, signal: new AbortController().signal };

test.each([
  ['all calls', {}],
  ['calls that are looked at one by one', { where: '-cost>1' }],
])('a stream of %s goes on when it takes longer than a read may', async (_name, asked) => {
  const ids: string[] = [];
  for await (const rows of streamRows(await openSources(), { project_id: PROJECT, ...asked }, context)) {
    ids.push(...rows.map(({ id }) => id));
    vi.advanceTimersByTime(0.7 * DEFAULT_LIMITS.read_ms);
  }
  expect(ids).toEqual(Array.from({ length: COUNT }, (_each, index) => start(COUNT - 1 - index).id));
});

test('a page that takes too long is refused, and so is a stream of which nothing came', async () => {
  const sources = await openSources();
  const late: OverviewReader['outlines'] = async function* (plan, options) {
    vi.advanceTimersByTime(2 * DEFAULT_LIMITS.read_ms);
    yield* overviewsOf(sources.calls).outlines(plan, options);
  };
  const slow = { ...sources, overviews: { ...overviewsOf(sources.calls), outlines: late } };
  const asked = { project_id: PROJECT, where: '-cost>1' };
  await expect(readRows(slow, asked, context)).rejects.toMatchObject({ code: 'query_timeout' });
  const none: OverviewReader['outlines'] = () => {
    throw new TracingError('query_timeout', 'Cannot finish the read: too long');
  };
  const stream = streamRows({ ...slow, overviews: { ...slow.overviews, outlines: none } }, asked, context);
  await expect(stream.next()).rejects.toMatchObject({ code: 'query_timeout' });
});
