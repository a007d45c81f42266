import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../src/ui', import.meta.url));
const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' });

/** Classes of a module: those in its selectors, without what is global. */
function classesIn(file: string): Set<string> {
  const css = readFileSync(file, 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/:global\([^)]*\)/g, '');
  const selectors = css.replaceAll(/\{[^{}]*\}/g, '{}');
  return new Set([...selectors.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = '']) => name));
}

/** Uses of each module by a script: names, and whether one is computed. */
function usesIn(
  file: string,
): { readonly module: string; readonly names: readonly string[]; readonly isComputed: boolean }[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/import (\w+) from '(\.[^']*\.module\.css)'/g)].map(([, local = '', path = '']) => ({
    module: resolve(dirname(file), path),
    names: [...text.matchAll(new RegExp(`\\b${local}\\.(\\w+)`, 'g'))].map(([, name = '']) => name),
    isComputed: text.includes(`${local}[`),
  }));
}

const uses = FILES.filter((file) => /\.tsx?$/.test(file)).flatMap((file) => usesIn(join(ROOT, file)));

test('every class that a part names is in its module', () => {
  expect(uses.length).toBeGreaterThan(20);
  const missing = uses.flatMap(({ module, names }) => names.filter((name) => !classesIn(module).has(name)));
  expect(missing).toEqual([]);
});

test('no module holds a class that nobody names', () => {
  const modules = FILES.filter((file) => file.endsWith('.module.css')).map((file) => join(ROOT, file));
  const idle = modules.flatMap((module) => {
    const own = uses.filter((use) => use.module === module);
    if (own.some(({ isComputed }) => isComputed)) return [];
    const named = new Set(own.flatMap(({ names }) => names));
    return [...classesIn(module)].filter((name) => !named.has(name)).map((name) => `${module}: ${name}`);
  });
  expect(idle).toEqual([]);
});

test('only the token file holds colours, fonts and row heights', () => {
  const raw = FILES.filter((file) => file.endsWith('.css') && !file.endsWith('tokens.css')).flatMap((file) => {
    const css = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
    const found = css.match(/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsl\(|font-family/gi) ?? [];
    return found.map((use) => `${file}: ${use}`);
  });
  expect(raw).toEqual([]);
});
