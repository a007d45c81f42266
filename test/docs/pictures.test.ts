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

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const picturesOf = (page: string) =>
  [...textOf(page).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => basename(path));

test('the README begins with its one picture, and each that is kept is in a page', () => {
  expect(picturesOf('README.md')).toHaveLength(1);
  expect(textOf('README.md')).toMatch(/^# Spoor\n\n!\[/);
  expect([...new Set(pages().flatMap(picturesOf))].sort()).toEqual(readdirSync(FOLDER).sort());
});

test('the guide to the page shows each of its pages', () => {
  const routes = [...textOf('src/ui/app.tsx').matchAll(/<Route path="([^"]+)">/g)].map(([, path = '']) => path);
  // Nobody stays there: the page of an address that needs a login is in its place.
  const shown = routes.filter((path) => path !== '/login');
  expect(shown.length).toBeGreaterThan(5);
  const pictures = picturesOf('docs/guides/page.md');
  expect(shown.filter((path) => !pictures.some((picture) => picture.startsWith(`${nameOf(path)}-`)))).toEqual([]);
});

/** Pictures are named as the pages are, one of a list by the word for one. */
function nameOf(path: string): string {
  const [, , , list = '', one] = path.startsWith('/:') ? path.split('/') : ['', '', '', path.slice(1)];
  return one === undefined ? list : list.replace(/s$/, '');
}
