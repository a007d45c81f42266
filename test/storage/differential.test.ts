import { expect, test } from 'vitest';
import type { Dialect } from '../../src/storage/sql/dialect.ts';
import { raw, sql } from '../../src/storage/sql/sql.ts';
import { sqliteDialect } from '../../src/storage/sqlite/read/dialect.ts';
import { ALL_COMBINATIONS } from './differential/coverage.ts';
import { newDatabasePath } from './sqlite/store-folder.ts';
import { compareOn, type Difference } from './differential/compare-engines.ts';

const DATA_SETS = 50;
const QUERIES_PER_SET = 200;

/** Mistakes that a printer of SQL makes easily; each must be found, or the comparison proves nothing. */
const MISTAKES: Readonly<Record<string, Dialect>> = {
  'NOT of NULL is TRUE': { ...sqliteDialect, not: (condition) => sql`coalesce(NOT ${condition}, 1)` },
  '<= prints as <': { ...sqliteDialect, operators: { ...sqliteDialect.operators, lte: '<' } },
  'feedback of every type counts': {
    ...sqliteDialect,
    isAboutCall: (feedback, _type, projectId) => sqliteDialect.isAboutCall(feedback, null, projectId),
  },
  'the oldest feedback counts': {
    ...sqliteDialect,
    latestFirst: (feedback) => sql`${sqliteDialect.feedbackColumn(feedback, 'created_at' as never)}`,
  },
  'spans of OpenTelemetry are not seen': {
    ...sqliteDialect,
    json: ({ column, path }) => {
      return column === 'attributes'
        ? { json: raw('s.attributes'), path }
        : sqliteDialect.json({ kind: 'json', column, path });
    },
  },
  'numbers sort and compare as texts': { ...sqliteDialect, jsonLooseNumber: (field) => sqliteDialect.jsonText(field) },
};

test('SQLite answers ten thousand random queries as the memory engine does', { timeout: 600_000 }, async () => {
  const differences: Difference[] = [];
  const covered = new Set<string>();
  let compared = 0;
  for (let seed = 1; seed <= DATA_SETS; seed++) {
    // Some against a file, whose calls go through threads.
    const path = seed % 10 === 0 ? await newDatabasePath() : ':memory:';
    const comparison = await compareOn(seed, QUERIES_PER_SET, { path });
    compared += comparison.compared;
    for (const combination of comparison.covered) covered.add(combination);
    if (comparison.difference) differences.push(comparison.difference);
  }
  expect(differences).toEqual([]);
  expect(compared).toBe(DATA_SETS * QUERIES_PER_SET);
  expect(ALL_COMBINATIONS.filter((combination) => !covered.has(combination))).toEqual([]);
});

test('so it does where each value of a body is one of very many', { timeout: 300_000 }, async () => {
  const dialect: Dialect = { ...sqliteDialect, json: (field) => ({ ...sqliteDialect.json(field), isOneOfMany: true }) };
  const differences: Difference[] = [];
  for (let seed = 101; seed <= 110; seed++) {
    const { difference } = await compareOn(seed, QUERIES_PER_SET, { dialect });
    if (difference) differences.push(difference);
  }
  expect(differences).toEqual([]);
});

test('so it does where each field is kept for its condition', { timeout: 300_000 }, async () => {
  const { keptFields } = sqliteDialect;
  const dialect: Dialect = { ...sqliteDialect, ...(keptFields && { keptFields: { ...keptFields, namedFrom: 1 } }) };
  const differences: Difference[] = [];
  for (let seed = 201; seed <= 210; seed++) {
    const { difference } = await compareOn(seed, QUERIES_PER_SET, { dialect });
    if (difference) differences.push(difference);
  }
  expect(differences).toEqual([]);
});

for (const [mistake, dialect] of Object.entries(MISTAKES)) {
  test(`a printer with the mistake "${mistake}" is found out`, { timeout: 300_000 }, async () => {
    let found: Difference | undefined;
    for (let seed = 1; seed <= DATA_SETS && !found; seed++) {
      found = (await compareOn(seed, QUERIES_PER_SET, { dialect })).difference;
    }
    expect(found).toBeDefined();
    // The shrunk query is small enough to read.
    expect(found?.request.length).toBeLessThan(250);
  });
}
