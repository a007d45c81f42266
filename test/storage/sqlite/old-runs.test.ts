import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import type { DatabaseSync } from '../../../src/storage/sqlite/driver.ts';
import { migrate } from '../../../src/storage/sqlite/schema/migrate.ts';
import { selectRuns } from '../../../src/storage/sqlite/write/run-table.ts';
import { Writer } from '../../../src/storage/sqlite/write/writer.ts';
import { NEW_YEAR, PROJECT, SECOND, startFact } from '../../../src/testing/storage/facts.ts';
import { newDatabasePath } from './store-folder.ts';

async function openDatabase(): Promise<{ database: DatabaseSync; writer: Writer }> {
  const path = await newDatabasePath();
  mkdirSync(dirname(path), { recursive: true });
  const database = openWriteConnection({ path, durable: 'crash' });
  migrate(database);
  const writer = new Writer(database);
  onTestFinished(() => writer.close());
  return { database, writer };
}

function listed(database: DatabaseSync): { id: string; entry_op: string | null; pid: number | null }[] {
  return selectRuns(database, { projectId: PROJECT, limit: 1000 }).map(({ id, entry_op, pid }) => ({
    id,
    entry_op,
    pid,
  }));
}

function callOf(run: string, id: string, startedAt: number) {
  return startFact(id, { process_run: run, started_at: startedAt, op_name: `op-${id}` });
}

const remove = (before: number) => ({ op: 'removeRuns', projectId: PROJECT, before, after: 0 }) as const;

test('a run that begins in the group of a removal stays, with its first op', async () => {
  const { database, writer } = await openDatabase();
  writer.writeGroup([
    { op: 'writeCalls', facts: [callOf('new', 'first', NEW_YEAR + 9 * SECOND)] },
    remove(NEW_YEAR),
    { op: 'noteRun', run: { project_id: PROJECT, id: 'new', pid: 7 } },
  ]);
  expect(listed(database)).toEqual([{ id: 'new', entry_op: 'op-first', pid: 7 }]);
});

test('a run that was quiet for long and records in the group of a removal stays', async () => {
  const { database, writer } = await openDatabase();
  writer.writeGroup([
    { op: 'writeCalls', facts: [callOf('woken', 'old', NEW_YEAR)] },
    { op: 'noteRun', run: { project_id: PROJECT, id: 'woken', pid: 7 } },
  ]);
  // Its first call is gone by then.
  writer.writeGroup([
    { op: 'removeTraces', projectId: PROJECT, traceIds: ['trace-of-old'], before: NEW_YEAR + SECOND },
  ]);
  writer.writeGroup([
    { op: 'writeCalls', facts: [callOf('woken', 'late', NEW_YEAR + 9 * SECOND)] },
    remove(NEW_YEAR + 5 * SECOND),
  ]);
  expect(listed(database)).toEqual([{ id: 'woken', entry_op: 'op-old', pid: 7 }]);
  expect(database.prepare('SELECT r.id FROM calls c JOIN process_run r ON r.pk = c.process').all()).toEqual([
    { id: 'woken' },
  ]);
});

test('old runs go, those with a call that is left stay, however many there are', async () => {
  const { database, writer } = await openDatabase();
  const count = 501;
  const facts = Array.from({ length: count }, (_, index) => callOf(`run-${index}`, `call-${index}`, NEW_YEAR + index));
  writer.writeGroup([
    { op: 'writeCalls', facts },
    { op: 'noteRun', run: { project_id: PROJECT, id: 'noted' } },
  ]);
  const traceIds = facts.slice(1).map(({ id }) => `trace-of-${id}`);
  writer.writeGroup([{ op: 'removeTraces', projectId: PROJECT, traceIds, before: NEW_YEAR + SECOND }]);
  let rounds = 0;
  for (let after: number | null = 0; after !== null; rounds++) {
    const [outcome] = writer.writeGroup([{ ...remove(NEW_YEAR + SECOND), after }]);
    after = (outcome as { readonly result: number | null }).result;
  }
  // Others write between.
  expect(rounds).toBeGreaterThan(2);
  expect(database.prepare('SELECT id FROM process_run').all()).toEqual([{ id: 'run-0' }]);
});
