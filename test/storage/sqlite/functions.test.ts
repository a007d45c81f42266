import { expect, onTestFinished, test, vi } from 'vitest';
import { loadDriver } from '../../../src/storage/sqlite/driver.ts';
import { registerFunctions } from '../../../src/storage/sqlite/read/functions.ts';

const ROWS = 50;
const { DatabaseSync } = loadDriver();

function openDatabase() {
  const database = new DatabaseSync(':memory:');
  onTestFinished(() => database.close());
  registerFunctions(database, () => {});
  database.exec('CREATE TABLE row (number INTEGER)');
  for (let number = 0; number < ROWS; number++) database.exec(`INSERT INTO row VALUES (${number})`);
  return database;
}

/** How often a list is read from its text while a statement looks at every row. */
function listsRead(condition: string, lists: readonly string[]): number {
  const database = openDatabase();
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const statement = database.prepare(`SELECT count(*) AS found FROM row WHERE ${condition}`);
  expect(statement.all(...lists)).toEqual([{ found: ROWS }]);
  return parse.mock.calls.filter(([text]) => lists.includes(text)).length;
}

const listFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

test.each([1, 2, 40, 200])('%i lists of numbers in a query are read once each', (count) => {
  const lists = Array.from({ length: count }, (_, index) =>
    JSON.stringify(listFrom(1000 * (index + 1), Math.floor(20_000 / count)).map(String)),
  );
  const condition = lists.map(() => 'NOT spoor_is_one_of(number, ?)').join(' AND ');
  expect(listsRead(condition, lists)).toBe(count);
});

test('several lists of values in a query are read once each', () => {
  const lists = [1, 2, 3].map((seed) => JSON.stringify(listFrom(1000 * seed, 100).map((n) => [n])));
  expect(listsRead(lists.map(() => 'NOT spoor_equal(number, ?)').join(' AND '), lists)).toBe(lists.length);
});

test('several paths in a query are read once each', () => {
  const paths = ['b', 'c', 'd'].map((name) => JSON.stringify([name]));
  expect(listsRead(paths.map(() => `spoor_at('{"a":' || number || '}', ?) IS NULL`).join(' AND '), paths)).toBe(
    paths.length,
  );
});
