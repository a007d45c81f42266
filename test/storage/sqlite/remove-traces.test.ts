import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openReadConnection, openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { type DatabaseSync, loadDriver } from '../../../src/storage/sqlite/driver.ts';
import { oldTraces, timeForBytes } from '../../../src/storage/sqlite/upkeep/find-old.ts';
import { migrate } from '../../../src/storage/sqlite/schema/migrate.ts';
import { giveBack } from '../../../src/storage/sqlite/write/remove-traces.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { Writer } from '../../../src/storage/sqlite/write/writer.ts';
import { endFact, NEW_YEAR, PROJECT, SECOND, startFact } from '../../../src/testing/storage/facts.ts';
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

test('old traces are found behind long ones that go on, and not looked for when nobody waits', async () => {
  const path = await newDatabasePath();
  await (await openSqliteStorage({ path })).close();
  const open = (checkInterrupt = () => {}) => openReadConnection({ path, durable: 'crash' }, checkInterrupt);
  const filling = open();
  filling.exec(`PRAGMA query_only = 0; INSERT INTO project VALUES (1, '${PROJECT}');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    INSERT INTO calls(project, id, trace_id, started_at) SELECT 1, 'c' || i, 'long', i FROM n;
    INSERT INTO calls(project, id, trace_id, started_at, ended_at) VALUES (1, 'end', 'long', 30000, 90000), (1, 'd', 'old', 40000, 50000);
    INSERT INTO body_start SELECT pk, '{}', '{}', NULL FROM calls`);
  expect(oldTraces(filling, PROJECT, 60_000)).toEqual([{ traceId: 'old', callCount: 1 }]);
  expect(timeForBytes(filling, PROJECT, 100)).toBe(90_001);
  filling.close();
  const unwanted = open(() => {
    throw new Error('nobody waits');
  });
  expect(() => oldTraces(unwanted, PROJECT, 60_000)).toThrow('nobody waits');
  expect(() => timeForBytes(unwanted, PROJECT, 100)).toThrow('nobody waits');
  unwanted.close();
});

/** A file of which most is free. */
async function emptied(pragma: string): Promise<DatabaseSync> {
  const path = await newDatabasePath();
  mkdirSync(dirname(path), { recursive: true });
  const database = new (loadDriver().DatabaseSync)(path);
  database.exec(`${pragma}; CREATE TABLE a(x);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) INSERT INTO a SELECT zeroblob(4000) FROM n;
    DELETE FROM a`);
  return database;
}

test('room is given back until there is little, and not tried for ever where none can be', async () => {
  const shrinking = await emptied('PRAGMA auto_vacuum = INCREMENTAL');
  const answers = Array.from({ length: 4 }, () => giveBack(shrinking));
  expect(answers).toEqual([true, true, true, false]);
  shrinking.close();
  const fixed = await emptied('PRAGMA auto_vacuum = NONE');
  expect(giveBack(fixed)).toBe(false);
  fixed.close();
});
