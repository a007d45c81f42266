import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { migrate } from '../../../src/storage/sqlite/migrate.ts';
import { Writer } from '../../../src/storage/sqlite/writer.ts';
import { endFact, NEW_YEAR, PROJECT, SECOND, startFact } from '../../../src/testing/storage-facts.ts';
import { newDatabasePath } from './store-folder.ts';

test('a trace in which something has happened since it was found to be old stays', async () => {
  const path = await newDatabasePath();
  mkdirSync(dirname(path), { recursive: true });
  const database = openWriteConnection({ path, durable: 'crash' });
  migrate(database);
  const writer = new Writer(database);
  const facts = [startFact('old'), startFact('woken'), endFact('woken', { ended_at: NEW_YEAR + 9 * SECOND })];
  const traceIds = ['trace-of-old', 'trace-of-woken', 'trace-of-nobody'];
  const outcomes = writer.writeGroup([
    { op: 'writeCalls', facts },
    { op: 'removeTraces', projectId: PROJECT, traceIds, before: NEW_YEAR + SECOND },
  ]);
  expect(outcomes[1]).toEqual({ result: { traces: 1, calls: 1 } });
  expect(database.prepare('SELECT id FROM calls').all()).toEqual([{ id: 'woken' }]);
  writer.close();
});
