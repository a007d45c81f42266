import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { planCalls } from '../../../src/server/query/plan-calls.ts';
import { openReadConnection } from '../../../src/storage/sqlite/connection.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/dialect.ts';
import { Interrupt } from '../../../src/storage/sqlite/interrupt.ts';
import type { Answer } from '../../../src/storage/sqlite/messages.ts';
import { ReadDesk } from '../../../src/storage/sqlite/read-desk.ts';
import { Reader } from '../../../src/storage/sqlite/reader.ts';
import { printKeys } from '../../../src/storage/sqlite/select-calls.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { PROJECT, startFact } from '../../../src/testing/storage-facts.ts';
import { newDatabasePath } from './store-folder.ts';

test('streams use the connections of those before them, however many there were at once', async () => {
  const path = await newDatabasePath();
  const storage = await openSqliteStorage({ path });
  await storage.calls.write(Array.from({ length: 500 }, (_, index) => startFact(`c${index}`)));
  let connections = 0;
  const open = () => {
    connections += 1;
    return new Reader(openReadConnection({ path, durable: 'crash' }, () => undefined));
  };
  const answers: Answer[] = [];
  const desk = new ReadDesk(open, (answer) => answers.push(answer), new Interrupt());
  const keys = printKeys(planCalls({ project_id: PROJECT }, DEFAULT_LIMITS), sqliteDialect);
  for (let round = 0; round < 3; round++) {
    const ids = Array.from({ length: 12 }, (_, index) => round * 100 + index + 1);
    for (const id of ids) desk.receive({ id, request: { op: 'open', projectId: PROJECT, keys, bodies: ['inputs'] } });
    for (const id of ids) desk.receive({ id: id + 50, request: { op: 'cancel', stream: id } });
  }
  desk.close();
  await storage.close();
  expect(answers.filter((answer) => 'error' in answer)).toEqual([]);
  expect(connections).toBe(1 + 12);
});
