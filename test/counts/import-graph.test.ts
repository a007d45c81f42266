import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { loadedWith } from '../loaded-with.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

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

/** Modules of Node that a program has loaded at its end. */
function builtinsOf(program: string): string[] {
  const print = 'process.stdout.write(process.moduleLoadList.join("\\n"))';
  const args = ['--input-type=module', '-e', `${program};${print}`];
  return execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).split('\n');
}

test('the import of spoor loads no module of Node that a program without it does not load', () => {
  // The reader needs none.
  const usual = builtinsOf("await import('spoor/reader')");
  expect(builtinsOf("await import('spoor')").filter((name) => !usual.includes(name))).toEqual([]);
});
