import { beforeAll, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { loadedWith } from '../loaded-with.ts';

beforeAll(buildOnce, 120_000);

test('the import of spoor reads four files: every one costs', async () => {
  const { files, others } = await loadedWith('dist/index.js');
  expect(files).toHaveLength(4);
  expect(others).toEqual([]);
});

test('they hold the modules in this list: every one is parsed', async () => {
  const { sources } = await loadedWith('dist/index.js');
  expect(sources.length).toBeGreaterThan(50);
  await expect(`${sources.join('\n')}\n`).toMatchFileSnapshot('loaded-at-import.txt');
});
