import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/read/dialect.ts';
import type { DatabaseSync } from '../../../src/storage/sqlite/driver.ts';
import { migrate } from '../../../src/storage/sqlite/schema/migrate.ts';
import { tablePositions, tableRowDigests } from '../../../src/storage/sqlite/read/read-tables.ts';
import { printTurns } from '../../../src/storage/sqlite/read/sqlite-threads.ts';
import type { TablePlan } from '../../../src/storage/contract/plan.ts';

let database: DatabaseSync;

beforeEach(() => {
  database = openWriteConnection({ path: ':memory:', durable: 'crash' });
  migrate(database);
  database.function('spoor_go_on', { deterministic: false, useBigIntArguments: false }, () => 1);
  database.exec(`INSERT INTO project VALUES (1, 'acme/demo');
    INSERT INTO dataset VALUES (1, 1, 'T', 4, 40);
    INSERT INTO dataset_row VALUES (1, 1, 'a', '{"n": 2}'), (2, 1, 'b', '{"n": 1}'), (3, 1, 'c', '{}');
    INSERT INTO dataset_item VALUES (1, 0, 1), (1, 1, 2), (1, 2, 1), (1, 3, 3)`);
});
afterEach(() => database.close());

/** Positions that a plan gives, and what SQLite does to find them. */
function read(plan: Partial<TablePlan>): { positions: number[]; steps: string[] } {
  const all = { projectId: 'acme/demo', digest: 'T', sort: [], offset: 0, ...plan };
  const { answer, steps } = watch((watched) => tablePositions(watched, all));
  return { positions: [...answer], steps };
}

function watch<Answer>(ask: (watched: DatabaseSync) => Answer): { answer: Answer; steps: string[] } {
  const statements: string[] = [];
  const prepare = (text: string) => {
    statements.push(text);
    return database.prepare(text);
  };
  const answer = ask({ prepare } as DatabaseSync);
  return { answer, steps: statements.flatMap((text) => stepsOf(text)) };
}

function stepsOf(text: string): string[] {
  return database
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all()
    .map(({ detail }) => String(detail));
}

test('a page of a table in its order reads nothing but how many rows there are', () => {
  for (const [page, positions] of [
    [{}, [0, 1, 2, 3]],
    [{ limit: 2, offset: 1 }, [1, 2]],
    [{ limit: 9, offset: 3 }, [3]],
    [{ limit: 0 }, []],
    [{ offset: 9 }, []],
    [{ digest: 'nope' }, []],
  ] as const) {
    const answer = read(page);
    expect(answer.positions).toEqual(positions);
    expect(answer.steps.join('\n')).not.toMatch(/^S[A-Z]+ i /m);
    expect(answer.steps).not.toEqual([]);
  }
});

test('rows with some digests are looked up, whatever the size of the table', () => {
  const n = { path: ['n'], isDescending: false };
  for (const [plan, positions] of [
    [{ rowDigests: ['c', 'a', 'x'] }, [0, 2, 3]],
    [{ rowDigests: ['c', 'b', 'a'], sort: [n], limit: 3 }, [1, 0, 2]],
  ] as const) {
    const answer = read(plan);
    expect(answer.positions).toEqual(positions);
    expect(answer.steps).toContain('SEARCH i USING COVERING INDEX dataset_item_row (dataset=? AND row=?)');
    expect(answer.steps.filter((step) => /^SCAN (?!json_each)/.test(step))).toEqual([]);
  }
});

test('digests are read from a place in the table on, without the rows before it', () => {
  const from = (place: number) => watch((watched) => tableRowDigests(watched, 'acme/demo', 'T', place));
  expect(from(0).answer).toEqual({ count: 4, digests: ['a b a c'] });
  expect(from(2).answer).toEqual({ count: 4, digests: ['a c'] });
  expect(from(4).answer).toEqual({ count: 4, digests: [''] });
  expect(from(2).steps).toContain('SEARCH i USING PRIMARY KEY (dataset=? AND position>?)');
  expect(from(2).steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
  expect(tableRowDigests(database, 'acme/demo', 'nope', 0)).toBeUndefined();
});

test('the turns of threads are read from their own index', () => {
  const { text } = printTurns({ projectId: 'acme/demo', sort: [], offset: 0 }, sqliteDialect);
  expect(stepsOf(text)[0]).toBe('SEARCH c USING COVERING INDEX calls_turn (project=?)');
  const named = printTurns({ projectId: 'acme/demo', threadIds: ['t'], sort: [], offset: 0 }, sqliteDialect);
  expect(stepsOf(named.text)[0]).toBe(
    'SEARCH c USING COVERING INDEX calls_turn (project=? AND thread_id=? AND started_at>?)',
  );
});
