import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ADVICE } from '../../src/cli/checks/advice.ts';

const PAGE = readFileSync(new URL('../../docs/guides/delivery.md', import.meta.url), 'utf8');

test('every kind of problem that the doctor advises on has its line, and every line its kind', () => {
  const [, table = ''] = PAGE.split('| Kind |');
  const kinds = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, kind]) => kind);
  expect(kinds).toEqual(Object.keys(ADVICE));
});
