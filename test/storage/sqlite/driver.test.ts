import { expect, test } from 'vitest';
import { loadDriver } from '../../../src/storage/sqlite/driver.ts';

function FakeDatabase() {
  return undefined;
}

test('the SQLite that Node has is used', () => {
  const asked: string[] = [];
  const driver = loadDriver((id) => {
    asked.push(id);
    return { DatabaseSync: FakeDatabase };
  });
  expect(asked).toEqual(['node:sqlite']);
  expect(driver.DatabaseSync).toBe(FakeDatabase);
});

test('the warning that the built-in module is experimental is not shown, other warnings are', () => {
  const warnings: string[] = [];
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error) => {
    warnings.push(String(warning));
  };
  try {
    loadDriver(() => {
      process.emitWarning('SQLite is an experimental feature', 'ExperimentalWarning');
      return { DatabaseSync: FakeDatabase };
    });
    process.emitWarning('something else');
  } finally {
    process.emitWarning = emitWarning;
  }
  expect(warnings).toEqual(['something else']);
});

test('a Node without SQLite gets the package', () => {
  const { DatabaseSync } = loadDriver(() => undefined);
  const database = new DatabaseSync(':memory:');
  expect(database.prepare('SELECT 1 AS one').get()?.['one']).toBe(1);
  database.close();
});
