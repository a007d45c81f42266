import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadDriver } from '../../../src/storage/sqlite/driver.ts';
import { letGoOfBodies, registerFunctions } from '../../../src/storage/sqlite/read/functions.ts';

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

/** How often the bodies of rows are read from their texts while a statement looks at them; what is read of them is found. */
function bodiesRead(bodies: readonly (readonly [string, string])[], fields: number): number {
  const database = openDatabase();
  database.exec('CREATE TABLE body (inputs TEXT, output TEXT)');
  const insert = database.prepare('INSERT INTO body VALUES (?, ?)');
  for (const [inputs, output] of bodies) insert.run(inputs, output);
  const texts = new Set(bodies.flat());
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const both = `spoor_number_at(inputs, '["n"]') + spoor_number_at(output, '["n"]')`;
  const sums = Array.from({ length: fields }, () => both).join(' + ');
  const [row] = database.prepare(`SELECT sum(${sums}) AS sum FROM body`).all();
  letGoOfBodies();
  expect(row).toEqual({ sum: fields * bodies.flat().reduce((sum, text) => sum + text.length, 0) });
  return parse.mock.calls.filter(([text]) => texts.has(text)).length;
}

/** A body of so many characters, which it says. */
const bodyOf = (length: number) => `{"n":${length},"t":"${'x'.repeat(length - 13 - String(length).length)}"}`;

test.each([100, 5_000_000])('bodies of %i characters that are asked in turn are read once each', (length) => {
  const bodies = [0, 2, 4].map((more) => [bodyOf(length + more), bodyOf(length + more + 1)] as const);
  expect(bodiesRead(bodies, 20)).toBe(bodies.length * 2);
});

test('what was read of bodies goes with its statement', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const database = openDatabase();
  const before = used();
  const text = `{"n":[${Array.from({ length: 500_000 }, (_, index) => `"text ${index}"`).join(',')}]}`;
  const read = database.prepare(`SELECT spoor_at(?, '["n","7"]') AS found`).get(text);
  expect(read).toEqual({ found: '"text 7"' });
  letGoOfBodies();
  expect(used() - before).toBeLessThan(text.length + 4_000_000);
});
