import { describe, expect, test } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { storageConformance } from '../../src/testing/storage/conformance.ts';
import { NEW_YEAR, PROJECT, startFact } from '../../src/testing/storage/facts.ts';

storageConformance({ describe, test }, { name: 'memory', open: () => openStorage({ engine: 'memory' }) });

test('a trace of any number of calls is removed', async () => {
  const storage = await openStorage({ engine: 'memory' });
  await storage.calls.write(Array.from({ length: 150_000 }, (_, index) => startFact(`c${index}`, { trace_id: 't' })));
  expect(await storage.retention?.removeBefore(PROJECT, NEW_YEAR + 1)).toEqual({ traces: 1, calls: 150_000 });
});
