import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openWriteConnection } from '../../src/storage/sqlite/connection.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { PROJECT, startServer } from './running-server.ts';

const BATCHES = 12;

test('when too much waits to be written, writes are refused at once and whole, and what was taken is written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-overload-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'spoor.db');
  const storage = await openSqliteStorage({ path, maxQueuedBytes: 1_000_000 });
  const server = await startServer({ storage });
  onTestFinished(() => server.close());
  // Whoever else has the lock for writing keeps the writer waiting; it waits itself for what is being written.
  const other = openWriteConnection({ path, durable: 'crash' });
  other.exec('BEGIN IMMEDIATE');
  const answers = Array.from({ length: BATCHES }, async (_, batch) => {
    const items = Array.from({ length: 20 }, (_item, index) => {
      const inputs = { text: 'x'.repeat(10_000) };
      const start = { project_id: PROJECT, id: `${batch}-${index}`, op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
      return { mode: 'start', req: { start: { ...start, inputs } } };
    });
    return { batch, answer: await server.post('/call/upsert_batch', { batch: items }) };
  });
  // The refusals come while everything else still waits.
  let refusedCount = 0;
  for (const answer of answers) void answer.then((each) => (refusedCount += each.answer.status === 429 ? 1 : 0));
  await vi.waitFor(() => expect(refusedCount).toBeGreaterThan(0), { timeout: 8000 });
  other.exec('ROLLBACK');
  other.close();
  const all = await Promise.all(answers);
  const taken = all.filter(({ answer }) => answer.status === 200);
  const refused = all.filter(({ answer }) => answer.status === 429);
  expect(taken.length + refused.length).toBe(BATCHES);
  expect(taken.length).toBeGreaterThan(2);
  for (const { answer } of refused) {
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(answer.body).toMatchObject({
      error_code: 'rate_limited',
      reason: 'Cannot take the write: too much is waiting to be written',
    });
  }
  const { text } = await server.post('/calls/stream_query', { project_id: PROJECT, columns: ['id'] });
  const ids = [...text.matchAll(/"id":"(\d+)-\d+"/g)].map(([, batch]) => Number(batch));
  const expected = taken.flatMap(({ batch }) => Array.from({ length: 20 }, () => batch));
  expect(ids.toSorted((one, two) => one - two)).toEqual(expected.toSorted((one, two) => one - two));
  expect(
    (
      await server.post('/call/start', {
        start: { project_id: PROJECT, op_name: 'f', started_at: '2026-01-01T00:00:00Z' },
      })
    ).status,
  ).toBe(200);
});
