import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pages } from './blocks.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'docs', 'pictures');
const MAX_BYTES = 200_000;

test('pictures are soon there over a slow line', () => {
  const sizes = readdirSync(FOLDER).map((name) => ({ name, bytes: statSync(join(FOLDER, name)).size }));
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.filter(({ bytes }) => bytes >= MAX_BYTES)).toEqual([]);
});

test('the README has one picture, and each that is kept is in a page', () => {
  const picturesOf = (page: string) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) =>
      basename(path),
    );
  expect(picturesOf('README.md')).toHaveLength(1);
  expect([...new Set(pages().flatMap(picturesOf))].sort()).toEqual(readdirSync(FOLDER).sort());
});
