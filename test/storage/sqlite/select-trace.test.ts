import { expect, onTestFinished, test } from 'vitest';
import type { CallFact } from '../../../src/storage/contract/calls.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { endFact, NEW_YEAR, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { overviewsIn } from '../../../src/testing/storage/overviews-conformance.ts';

const MAX_BYTES = 1024 * 1024;
const CALLS = 30;

/** How the calls of one trace, of which each has so much usage, come in chunks. */
async function chunksOf(usageBytes: number): Promise<readonly (readonly string[])[]> {
  const storage = await openStorage({ engine: 'sqlite' });
  onTestFinished(async () => await storage.close());
  const summary = JSON.stringify({ usage: { m: { input_tokens: 1, note: 'x'.repeat(usageBytes) } } });
  const facts = Array.from({ length: CALLS }, (_, index): CallFact[] => {
    const id = `c${String(index).padStart(2, '0')}`;
    return [startFact(id, { trace_id: 't', started_at: NEW_YEAR + index }), endFact(id, { summary })];
  });
  await storage.calls.write(facts.flat());
  const chunks: (readonly string[])[] = [];
  for await (const { ids } of overviewsIn(storage).trace({ projectId: PROJECT, traceId: 't' })) chunks.push(ids);
  return chunks;
}

test.each([100, 10_000, 100_000, 600_000, 2_000_000])(
  'calls of a trace with %i bytes each come in chunks of at most a mebibyte, or one by one',
  async (bytes) => {
    const chunks = await chunksOf(bytes);
    const most = Math.max(1, Math.floor(MAX_BYTES / bytes));
    for (const ids of chunks) expect(ids.length).toBeLessThanOrEqual(most);
    // No more chunks than that takes: what a call has besides is little.
    expect(chunks.length).toBeLessThanOrEqual(Math.ceil(CALLS / Math.max(1, most - 1)));
    expect(chunks.flat()).toEqual(Array.from({ length: CALLS }, (_, index) => `c${String(index).padStart(2, '0')}`));
  },
);
