import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';

const TESTS = fileURLToPath(new URL('.', import.meta.url));

/** Paths from `test` on. */
const FILES = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes('node_modules'),
);

/** Modules that a file loads, from `test` on where it is a file, by its name where it is a package. */
function loadedBy(file: string): readonly string[] {
  const statements = textOf(file).matchAll(
    /^(?:import|export) (?!type\b)[^;]*?from '([^']+)';$|\bimport\('([^']+)'\)/gm,
  );
  return [...statements].map(([, fixed, dynamic]) => {
    const name = fixed ?? dynamic ?? '';
    return name.startsWith('.') ? relative(TESTS, resolve(TESTS, dirname(file), name)) : name;
  });
}

/** Files that drive a browser, or load one that does. */
function drivers(): readonly string[] {
  const loads = new Map(FILES.map((file) => [file, loadedBy(file)]));
  const found = new Set(['playwright-core']);
  let before = 0;
  while (before < found.size) {
    before = found.size;
    for (const [file, loaded] of loads) if (loaded.some((each) => found.has(each))) found.add(file);
  }
  return FILES.filter((file) => found.has(file));
}

const DRIVERS = drivers();
const IN_BROWSER = DRIVERS.filter((file) => file.endsWith('.test.ts'));

test('only the folders of the page drive a browser', () => {
  expect(IN_BROWSER.length).toBeGreaterThan(20);
  expect(DRIVERS.filter((file) => !/^(?:browser|page)[\\/]/.test(file))).toEqual([]);
  // Nor does anybody start one by its name.
  const others = FILES.filter((file) => !DRIVERS.includes(file));
  expect(others.filter((file) => /['"/](?:chromium|google-chrome|firefox)\b/.test(textOf(file)))).toEqual([]);
});

test('a test that drives one is skipped where there is none', () => {
  const always = IN_BROWSER.flatMap((file) =>
    [...textOf(file).matchAll(/^(?:test|describe)\b.*$/gm)]
      .filter(([line]) => !line.startsWith('describe.skipIf(!hasBrowser)'))
      .map(([line]) => `${file}: ${line}`),
  );
  expect(always).toEqual([]);
});

test('npm test leaves all of them out', () => {
  const [, long = ''] =
    /^const LONG = \[(.*?)^\];/ms.exec(readFileSync(join(TESTS, '..', 'vitest.config.ts'), 'utf8')) ?? [];
  const patterns = [...long.matchAll(/'([^']+)'/g)].map(([, pattern = '']) => pattern);
  const isLeftOut = picomatch(patterns);
  expect(IN_BROWSER.filter((file) => !isLeftOut(`test/${file.replaceAll(sep, '/')}`))).toEqual([]);
});

function textOf(file: string): string {
  return readFileSync(join(TESTS, file), 'utf8');
}
