import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import type { QueryObject } from '../../../src/protocol/query.ts';
import { planCalls, planSelection } from '../../../src/server/query/plan/plan-calls.ts';
import { openReadConnection } from '../../../src/storage/sqlite/connection.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/read/dialect.ts';
import { Interrupt } from '../../../src/storage/sqlite/threads/interrupt.ts';
import type { Answer } from '../../../src/storage/sqlite/threads/messages.ts';
import { ReadEndpoint } from '../../../src/storage/sqlite/threads/read-endpoint.ts';
import { StatementReader } from '../../../src/storage/sqlite/threads/statements.ts';
import { printCount, printKeys } from '../../../src/storage/sqlite/read/select-calls.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { newDatabasePath } from './store-folder.ts';

test('streams use the connections of those before them, however many there were at once', async () => {
  const path = await newDatabasePath();
  const storage = await openSqliteStorage({ path });
  await storage.calls.write(Array.from({ length: 500 }, (_, index) => startFact(`c${index}`)));
  let connections = 0;
  const open = () => {
    connections += 1;
    return new StatementReader(openReadConnection({ path, durable: 'crash' }, () => undefined));
  };
  const answers: Answer[] = [];
  const endpoint = new ReadEndpoint(open, (answer) => answers.push(answer), new Interrupt());
  const keys = printKeys(planCalls({ project_id: PROJECT }, DEFAULT_LIMITS), sqliteDialect);
  for (let round = 0; round < 3; round++) {
    const ids = Array.from({ length: 12 }, (_, index) => round * 100 + index + 1);
    for (const id of ids)
      endpoint.receive({ id, request: { op: 'open', projectId: PROJECT, keys, bodies: ['inputs'] } });
    for (const id of ids) endpoint.receive({ id: id + 50, request: { op: 'cancel', stream: id } });
  }
  endpoint.close();
  await storage.close();
  expect(answers.filter((answer) => 'error' in answer)).toEqual([]);
  expect(connections).toBe(1 + 12);
});

test('a trace whose calls cannot be found leaves nothing open', async () => {
  const path = await newDatabasePath();
  const storage = await openSqliteStorage({ path });
  await storage.calls.write([startFact('a')]);
  let connections = 0;
  const open = () => {
    connections += 1;
    return new StatementReader(openReadConnection({ path, durable: 'crash' }, () => undefined));
  };
  const answers: Answer[] = [];
  const endpoint = new ReadEndpoint(open, (answer) => answers.push(answer), new Interrupt());
  const broken = {
    ...printKeys(planCalls({ project_id: PROJECT }, DEFAULT_LIMITS), sqliteDialect),
    text: 'SELECT pk FROM nowhere',
  };
  for (const id of [1, 2, 3]) {
    endpoint.receive({ id, request: { op: 'openTrace', keys: broken } });
    endpoint.receive({ id: id + 10, request: { op: 'openOutlines', keys: broken, hasPreviews: false } });
  }
  // A transaction that is open keeps the log from being folded in.
  await storage.calls.write([startFact('b')]);
  await storage.close();
  endpoint.close();
  expect(answers.map((answer) => 'error' in answer)).toEqual([true, true, true, true, true, true]);
  expect(connections).toBe(2);
});

const ANY_INPUT: QueryObject = { $expr: { $eq: [{ $getField: 'inputs.a' }, { $literal: 'b' }] } };

/** How often a file is mapped into this process. */
function mappingsOf(path: string): number {
  const maps = readFileSync('/proc/self/maps', 'utf8');
  return maps.split('\n').filter((line) => line.endsWith(path)).length;
}

test.skipIf(process.platform !== 'linux')(
  'the file is mapped for scans of bodies only, and while they run',
  async () => {
    const path = await newDatabasePath();
    const storage = await openSqliteStorage({ path });
    const ids = Array.from({ length: 500 }, (_, index) => `c${index}`);
    await storage.calls.write(ids.map((id) => startFact(id, { inputs: '{"a":"b"}' })));
    // The writer has a mapping of its own.
    await storage.close();
    const open = () => new StatementReader(openReadConnection({ path, durable: 'crash' }, () => undefined));
    const answers: Answer[] = [];
    const endpoint = new ReadEndpoint(open, (answer) => answers.push(answer), new Interrupt());
    const read = (id: number, query: object) => {
      const keys = printKeys(planCalls({ project_id: PROJECT, ...query }, DEFAULT_LIMITS), sqliteDialect);
      endpoint.receive({ id, request: { op: 'open', projectId: PROJECT, keys, bodies: ['inputs'] } });
    };

    read(1, {});
    expect(mappingsOf(path)).toBe(0);
    read(2, { query: ANY_INPUT });
    expect(mappingsOf(path)).toBe(1);
    endpoint.receive({ id: 3, request: { op: 'cancel', stream: 2 } });
    expect(mappingsOf(path)).toBe(0);
    const count = printCount(
      planSelection({ project_id: PROJECT, query: ANY_INPUT }, DEFAULT_LIMITS),
      10,
      sqliteDialect,
    );
    endpoint.receive({ id: 4, request: { op: 'count', count } });
    expect(mappingsOf(path)).toBe(0);

    expect(answers.map((answer) => ('result' in answer ? 'result' : answer.error))).toEqual(Array(4).fill('result'));
    endpoint.close();
  },
);
