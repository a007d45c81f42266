import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MANIFESTS } from '../../src/integrations/manifests.ts';
import { isTested, TESTED_LIBRARIES } from '../../src/protocol/process/tested-libraries.ts';
import { LIBRARIES } from '../../src/register/libraries.ts';
import { ROOT } from '../flow/service-process.ts';
import { installedVersions } from './installed-versions.ts';

interface PackageFile {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly sideEffects: readonly string[];
}

const PACKAGE = JSON.parse(textOf('package.json')) as PackageFile;
const KNIP = JSON.parse(textOf('knip.json')) as { readonly ignoreDependencies: readonly string[] };
const ALL = MANIFESTS.map((manifest) => [manifest.name, manifest] as const);

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

test('every folder with a manifest is in the list', () => {
  const folders = readdirSync(join(ROOT, 'src/integrations'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /[\\/]manifest\.ts$/.test(file))
    .map((file) => file.replace(/[\\/]manifest\.ts$/, ''));
  expect(MANIFESTS.map(({ entry }) => entry).toSorted()).toEqual(folders.toSorted());
});

test('the tested versions are those of the manifests', () => {
  expect(TESTED_LIBRARIES).toEqual(Object.fromEntries(MANIFESTS.map(({ name, tested }) => [name, tested])));
});

test('register captures every library of the list', () => {
  expect(LIBRARIES.map(({ name }) => name)).toEqual(MANIFESTS.map(({ name }) => name));
});

test.each(ALL)('the package has the entry of %s', (_name, { entry }) => {
  expect(PACKAGE.exports[`./${entry}`]).toEqual({
    'spoor-source': `./src/${entry}.ts`,
    types: `./dist/${entry}.d.ts`,
    'module-sync': `./dist/${entry}.js`,
    require: `./dist/older/${entry}.cjs`,
    default: `./dist/older/${entry}.js`,
  });
  expect(PACKAGE.sideEffects).toEqual(expect.arrayContaining([`./dist/${entry}.js`, `./src/${entry}.ts`]));
});

test.each(ALL)('the entry of %s exports its wrappers', async (_name, { entry, wrappers }) => {
  const exported = (await import(join(ROOT, `src/${entry}.ts`))) as object;
  expect(Object.keys(exported).toSorted()).toEqual([...wrappers].toSorted());
});

test.each(ALL)('the installed versions of %s are the aliases of its manifest, and tested', (name, { aliases }) => {
  const installed = installedVersions(name);
  const other = installed.filter(({ installedAs }) => installedAs !== name).map(({ installedAs }) => installedAs);
  expect(other.toSorted()).toEqual([...aliases].toSorted());
  expect(installed.filter(({ version }) => !isTested(name, version))).toEqual([]);
  expect(KNIP.ignoreDependencies).toEqual(expect.arrayContaining([...aliases]));
});

test.each(ALL)('the docs name the wrappers of %s in its row', (name, { entry, wrappers }) => {
  const row = textOf('docs/reference/integrations.md')
    .split('\n')
    .find((line) => line.startsWith(`| \`${name}\` |`));
  expect(row, `docs/reference/integrations.md has no row of ${name}`).toBeDefined();
  expect(row).toContain(`spoor/${entry}`);
  expect(wrappers.filter((wrapper) => row?.includes(`${wrapper}(`) !== true)).toEqual([]);
});
