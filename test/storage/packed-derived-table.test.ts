import { expect, test } from 'vitest';
import type { DerivedTable } from '../../src/storage/contract/tables.ts';
import {
  derivedOf,
  derivedTableBytes,
  isPackedDerived,
  packDerived,
} from '../../src/storage/packed/packed-derived-table.ts';
import { sharePacked } from '../../src/storage/packed/shared-text.ts';

const TABLE: DerivedTable = {
  project_id: 'a/b',
  digest: 'd',
  base_digest: 'b',
  pieces: [
    { digest: 'r1', val: '{}' },
    { digest: 'r1', val: '{}' },
    { from: 0, count: 5 },
    { digest: 'r2', val: `{"text":"${'x'.repeat(500)}"}` },
    { from: 999_999, count: 1 },
    { digest: 'r1', val: '{}' },
  ],
};

test.each([
  ['', (table: DerivedTable) => packDerived(table)],
  [' in memory that threads share', (table: DerivedTable) => packDerived(table, sharePacked)],
])('a derived table comes out as it was packed%s', (_where, pack) => {
  const packed = structuredClone(pack(TABLE));
  expect(isPackedDerived(packed)).toBe(true);
  expect(derivedOf(packed)).toEqual(TABLE);
  const empty = { ...TABLE, pieces: [] };
  expect(derivedOf(structuredClone(pack(empty)))).toEqual(empty);
});

test('one that was not packed stays as it is', () => {
  expect(isPackedDerived(TABLE)).toBe(false);
  expect(derivedOf(TABLE)).toBe(TABLE);
});

test('rows that are copied count as what is written, packed or not', () => {
  const small = { ...TABLE, pieces: [{ from: 5, count: 10 }] };
  const large = { ...TABLE, pieces: [{ from: 5, count: 1_000_010 }] };
  for (const sized of [(table: DerivedTable) => table, packDerived]) {
    const bytes = derivedTableBytes(sized(large)) - derivedTableBytes(sized(small));
    expect(bytes).toBe(40_000_000);
    expect(derivedTableBytes(sized(TABLE))).toBeGreaterThan(500);
  }
});
