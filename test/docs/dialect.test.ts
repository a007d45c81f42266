import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { W } from '../../src/protocol/spelling/dialect.ts';

const PAGE = readFileSync(new URL('../../docs/reference/dialect.md', import.meta.url), 'utf8');

test('every name of the dialect has its line, and no other name has', () => {
  const { name: _name, namespaces, ...groups } = W;
  const inColumns = Object.entries(namespaces).flatMap(([native, dialect]) =>
    ['summary', 'attributes'].map((column) => [`${column}.${native}`, `${column}.${dialect}`]),
  );
  const names = [...Object.values(groups).flatMap((group) => Object.entries(group)), ...inColumns];
  const rows = [...PAGE.matchAll(/^\| `(.+?)` \| `(.+?)` \|/gm)].map(([, native, dialect]) => [native, dialect]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(names));
  expect(rows).toHaveLength(names.length);
});
