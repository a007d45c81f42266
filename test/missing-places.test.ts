import { expect, test } from 'vitest';
import { missingPlaces, type Texts, textsHere } from './missing-places.ts';
import type { LibraryManifest } from '../src/integrations/library-manifest.ts';
import { MANIFESTS } from '../src/integrations/manifests.ts';
import type { TestedLibrary } from '../src/protocol/process/tested-libraries.ts';
import { entryOf, FOLLOWING } from '../write-libraries.ts';

const HERE = textsHere();

/** A library that nobody has captured. */
const ORACLE: LibraryManifest = {
  name: '@delphi/oracle' as TestedLibrary,
  entry: 'oracle',
  tested: { from: [1, 2], below: [2, 0] },
  wrappers: ['wrapOracle(client)'],
  capture: 'captureOracle',
  modules: { mainFile: 'index.js' },
};

const ALL = [...MANIFESTS, ORACLE];

/** Where something is missing here, the first test alone says so. */
const MISSING_HERE = missingPlaces(HERE, MANIFESTS);

function lackingIn(texts: Texts, manifests: readonly LibraryManifest[] = ALL): readonly string[] {
  return missingPlaces(texts, manifests).filter((sentence) => !MISSING_HERE.includes(sentence));
}

/** As they are when somebody has written all that is to be written by hand. */
function textsByHand(): Texts {
  const file = JSON.parse(HERE['package.json'] ?? '') as { readonly devDependencies: object };
  const devDependencies = { ...file.devDependencies, 'oracle-1': 'npm:@delphi/oracle@1.2.0' };
  return {
    ...HERE,
    'package.json': JSON.stringify({ ...file, devDependencies }),
    'src/integrations/oracle/manifest.ts': '',
    'src/oracle.ts': entryOf(ORACLE),
    'docs/reference/integrations.md': `${HERE['docs/reference/integrations.md']}\n## @delphi/oracle\n`,
    'docs/changelog.md': `${HERE['docs/changelog.md']}- \`wrapOracle(client)\` records questions.\n`,
    'test/integrations/oracle-wrap.test.ts': 'wrapOracle(client)',
    'test/register/programs.test.ts': `${HERE['test/register/programs.test.ts']}{ name: '@delphi/oracle' }`,
  };
}

/** And when the rest is written, too. */
function textsWithOracle(): Texts {
  const texts = textsByHand();
  const written = Object.entries(FOLLOWING).map(([file, follow]) => [file, follow(texts[file] ?? '', ALL)]);
  return { ...texts, ...(Object.fromEntries(written) as Texts) };
}

test('every place knows every captured library', () => {
  expect(MISSING_HERE).toEqual([]);
});

test('a library that is in all places lacks none', () => {
  expect(lackingIn(textsWithOracle())).toEqual([]);
});

test('a folder with a manifest that is not in the list is told in one sentence', () => {
  const texts = { ...HERE, 'src/integrations/oracle/manifest.ts': '' };
  expect(lackingIn(texts, MANIFESTS)).toEqual([
    'src/integrations/manifests.ts has no line for src/integrations/oracle/manifest.ts, whose entry has to be "oracle": add it to MANIFESTS',
  ]);
});

test.each(Object.keys(FOLLOWING))('%s as it was before it was written is told in one sentence', (file) => {
  const lacking = lackingIn({ ...textsWithOracle(), [file]: textsByHand()[file] ?? '' });
  expect(lacking).toEqual([`${file} does not say what the manifests say: run "npm run libraries:write"`]);
});

test.each([
  ['src/oracle.ts', 'the module spoor/oracle, does not export wrapOracle'],
  ['docs/changelog.md', 'does not tell users of wrapOracle: add a sentence'],
  ['test/integrations/oracle-wrap.test.ts', 'No test of test/integrations uses wrapOracle'],
  ['test/register/programs.test.ts', "plays programs with '@delphi/oracle' under spoor/register"],
])('without its words %s is named in one sentence', (file, words) => {
  const lacking = lackingIn({ ...textsWithOracle(), [file]: HERE[file] ?? '' });
  expect(lacking).toEqual([expect.stringContaining(words)]);
  expect(lacking[0]).toContain(file);
});

test('a library without a section of its ops is told in one sentence', () => {
  const file = 'docs/reference/integrations.md';
  const texts = textsWithOracle();
  const lacking = lackingIn({ ...texts, [file]: (texts[file] ?? '').replace('\n## @delphi/oracle\n', '') });
  expect(lacking).toEqual([expect.stringContaining(`${file} has no section "## @delphi/oracle"`)]);
});

test('a library of which no version is installed is told in one sentence', () => {
  const texts = textsWithOracle();
  const file = (texts['package.json'] ?? '').replace(/,\s*"oracle-1": "[^"]*"/, '');
  expect(lackingIn({ ...texts, 'package.json': file })).toEqual([
    'package.json installs no version of @delphi/oracle for the tests: run "npm install --save-dev --save-exact @delphi/oracle"',
  ]);
});
