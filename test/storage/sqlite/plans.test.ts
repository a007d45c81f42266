import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { type CallsRequest, planCalls, planSelection } from '../../../src/server/query/plan/plan-calls.ts';
import type { Condition } from '../../../src/storage/contract/plan.ts';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/read/dialect.ts';
import { migrate } from '../../../src/storage/sqlite/schema/migrate.ts';
import { StatementReader } from '../../../src/storage/sqlite/threads/statements.ts';
import { withNames } from '../../../src/storage/sqlite/read/named-values.ts';
import { printCount, printKeys } from '../../../src/storage/sqlite/read/select-calls.ts';

/*
 * The four questions that are asked all day, and all that SQLite does for each, the bodies of calls included. A plan that
 * changes here is felt at a million calls; the order of a walk must never be that of the whole project.
 */

const database = openWriteConnection({ path: ':memory:', durable: 'crash' });
migrate(database);
database.exec(`INSERT INTO project VALUES (1, 'acme/demo'); INSERT INTO op VALUES (1, 'f', 'f')`);
for (const pk of [1, 2]) {
  database.exec(`INSERT INTO calls(pk, project, id, op, trace_id, started_at) VALUES (${pk}, 1, 'c${pk}', 1, 't', ${pk});
    INSERT INTO body_start(pk, attributes, inputs) VALUES (${pk}, '{}', '{}')`);
}
afterAll(() => database.close());

/** Steps of all statements that a read prepares, one list for each. */
function stepsOf<T>(read: (reader: StatementReader) => T): { steps: string[][]; answer: T } {
  const statements = new Set<string>();
  const watched = new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') {
        return (text: string) => {
          statements.add(text);
          return target.prepare(text);
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const answer = read(new StatementReader(watched));
  const steps = [...statements].filter((text) => text.startsWith('SELECT')).map((text) => explain(text));
  return { steps, answer };
}

function explain(text: string): string[] {
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all();
  return rows.map(({ detail }) => String(detail)).filter((detail) => !/^SCALAR|^SEARCH project/.test(detail));
}

/** Ids of the calls of a query, read to the end. */
function idsOf(request: Partial<CallsRequest>) {
  const keys = printKeys(planCalls({ project_id: 'acme/demo', ...request }, DEFAULT_LIMITS), sqliteDialect);
  const bodies = ['attributes', 'inputs', 'output', 'summary'] as const;
  return (reader: StatementReader) => [...reader.calls({ projectId: 'acme/demo', keys, bodies })].map(({ id }) => id);
}

test('a page of the newest roots', () => {
  const sort: CallsRequest['sort_by'] = [{ field: 'started_at', direction: 'desc' }];
  const { steps, answer } = stepsOf(idsOf({ filter: { trace_roots_only: true }, sort_by: sort, limit: 50 }));
  expect(answer).toEqual(['c2', 'c1']);
  expect(steps).toMatchInlineSnapshot(`
    [
      [
        "SEARCH c USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH s USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH e USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
      ],
      [
        "SEARCH c USING INDEX calls_root (project=? AND started_at>?)",
        "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
      ],
      [
        "SEARCH op USING INTEGER PRIMARY KEY (rowid=?)",
      ],
    ]
  `);
});

test('a trace', () => {
  const { steps, answer } = stepsOf(idsOf({ filter: { trace_ids: ['t'] } }));
  expect(answer).toEqual(['c1', 'c2']);
  expect(steps).toMatchInlineSnapshot(`
    [
      [
        "SEARCH c USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH s USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH e USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
      ],
      [
        "SEARCH c USING INDEX calls_trace (project=? AND trace_id=? AND started_at>?)",
        "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
      ],
      [
        "SEARCH op USING INTEGER PRIMARY KEY (rowid=?)",
      ],
    ]
  `);
});

test('one call by its id', () => {
  const { steps, answer } = stepsOf((reader) => reader.getCall('acme/demo', 'c1')?.op_name);
  expect(answer).toBe('f');
  expect(steps).toMatchInlineSnapshot(`
    [
      [
        "SEARCH c USING INDEX calls_id (project=? AND id=?)",
        "SEARCH s USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH e USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
      ],
      [
        "SEARCH op USING INTEGER PRIMARY KEY (rowid=?)",
      ],
    ]
  `);
});

test('how many calls an op has', () => {
  const selection = planSelection({ project_id: 'acme/demo', filter: { op_names: ['f'] } }, DEFAULT_LIMITS);
  const { steps, answer } = stepsOf((reader) => reader.count(printCount(selection, undefined, sqliteDialect)));
  expect(answer).toBe(2);
  expect(steps).toMatchInlineSnapshot(`
    [
      [
        "SEARCH c USING COVERING INDEX calls_op (project=? AND op=? AND started_at>?)",
        "SEARCH op USING COVERING INDEX sqlite_autoindex_op_1 (name=?)",
      ],
    ]
  `);
});

describe.each(['without statistics', 'with statistics'])('calls without an end, %s', (statistics) => {
  const many = openWriteConnection({ path: ':memory:', durable: 'crash' });
  migrate(many);
  many.exec(`INSERT INTO project VALUES (1, 'acme/demo'); INSERT INTO op VALUES (1, 'f', 'f');
    INSERT INTO calls(pk, project, id, op, trace_id, started_at, ended_at)
      WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 5000)
      SELECT value, 1, 'c' || value, 1, 't' || value, value, iif(value % 500, value, NULL) FROM n`);
  if (statistics === 'with statistics') many.exec('ANALYZE');
  afterAll(() => many.close());

  const without: Condition[] = [
    { kind: 'isNull', operand: { kind: 'time', column: 'ended_at' } },
    { kind: 'isNull', operand: { kind: 'text', column: 'exception' } },
  ];
  const running: Condition[] = [
    {
      kind: 'compare',
      operator: 'eq',
      left: { kind: 'text', column: 'status' },
      right: { kind: 'literal', value: 'running' },
    },
  ];
  const old: Condition = {
    kind: 'compare',
    operator: 'lt',
    left: { kind: 'time', column: 'started_at' },
    right: { kind: 'literal', value: 4000 },
  };

  test.each([
    ['by what they lack', without, false, 10],
    ['by what they lack, old ones', [old, ...without], false, 7],
    ['by what they lack, old roots', [old, ...without], true, 7],
    ['by their state', running, false, 10],
    ['by their state, roots', running, true, 10],
  ])('%s', (_, conditions, rootsOnly, expected) => {
    const selection = {
      projectId: 'acme/demo',
      filter: rootsOnly ? { rootsOnly } : {},
      condition: { kind: 'and', conditions },
    } as const;
    const { text, values } = withNames(printCount(selection, undefined, sqliteDialect));
    const steps = many.prepare(`EXPLAIN QUERY PLAN ${text}`).all(values);
    expect(steps.map(({ detail }) => String(detail)).find((detail) => detail.includes(' c '))).toContain(
      'calls_running',
    );
    expect(many.prepare(text).get(values)?.['count']).toBe(expected);
  });
});
