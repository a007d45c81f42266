import { expect, test } from 'vitest';
import type { Dialect } from '../../src/storage/sql/dialect.ts';
import { sql } from '../../src/storage/sql/sql.ts';
import { sqliteDialect } from '../../src/storage/sqlite/dialect.ts';
import { compareOn, type Difference } from './differential/compare-engines.ts';

const DATA_SETS = 50;
const QUERIES_PER_SET = 200;

/** Mistakes that a printer of SQL makes easily; each must be found, or the comparison proves nothing. */
const MISTAKES: Readonly<Record<string, Dialect>> = {
  'NOT of NULL is TRUE': { ...sqliteDialect, not: (condition) => sql`coalesce(NOT ${condition}, 1)` },
  '<= prints as <': { ...sqliteDialect, operators: { ...sqliteDialect.operators, lte: '<' } },
  'numbers sort and compare as texts': { ...sqliteDialect, jsonLooseNumber: (field) => sqliteDialect.jsonText(field) },
};

test('SQLite answers ten thousand random queries as the memory engine does', { timeout: 120_000 }, async () => {
  const differences: Difference[] = [];
  let compared = 0;
  for (let seed = 1; seed <= DATA_SETS; seed++) {
    const comparison = await compareOn(seed, QUERIES_PER_SET);
    compared += comparison.compared;
    if (comparison.difference) differences.push(comparison.difference);
  }
  expect(differences).toEqual([]);
  expect(compared).toBe(DATA_SETS * QUERIES_PER_SET);
});

for (const [mistake, dialect] of Object.entries(MISTAKES)) {
  test(`a printer with the mistake "${mistake}" is found out`, async () => {
    let found: Difference | undefined;
    for (let seed = 1; seed <= DATA_SETS && !found; seed++) {
      found = (await compareOn(seed, QUERIES_PER_SET, dialect)).difference;
    }
    expect(found).toBeDefined();
    // The shrunk query is small enough to read.
    expect(found?.request.length).toBeLessThan(250);
  });
}
