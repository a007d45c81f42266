import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFESTS } from '../src/integrations/manifests.ts';
import type { LibraryManifest } from '../src/integrations/library-manifest.ts';
import { exportedName, FOLLOWING } from '../write-libraries.ts';
import { ROOT } from './flow/service-process.ts';

/** The texts of this repository by their paths, as far as they tell of captured libraries. */
export type Texts = Readonly<Record<string, string>>;

const WRITE = 'run "npm run libraries:write"';

/** What is still to be done for the libraries with a manifest, a sentence for each place. */
export function missingPlaces(texts: Texts, manifests: readonly LibraryManifest[]): readonly string[] {
  return [...unlisted(texts, manifests), ...outdated(texts, manifests), ...manifests.flatMap((m) => lacking(texts, m))];
}

function unlisted(texts: Texts, manifests: readonly LibraryManifest[]): readonly string[] {
  const folders = Object.keys(texts).flatMap(
    (file) => /^src\/integrations\/([\w-]+)\/manifest\.ts$/.exec(file)?.[1] ?? [],
  );
  return folders
    .filter((folder) => !manifests.some(({ entry }) => entry === folder))
    .map((folder) => {
      return `src/integrations/manifests.ts has no line for src/integrations/${folder}/manifest.ts, whose entry has to be "${folder}": add it to MANIFESTS`;
    });
}

function outdated(texts: Texts, manifests: readonly LibraryManifest[]): readonly string[] {
  return Object.entries(FOLLOWING)
    .filter(([file, follow]) => follow(texts[file] ?? '', manifests) !== texts[file])
    .map(([file]) => `${file} does not say what the manifests say: ${WRITE}`);
}

function lacking(texts: Texts, { name, entry, wrappers }: LibraryManifest): readonly string[] {
  const names = wrappers.map(exportedName);
  const missing = (file: string, words: readonly string[]) => words.filter((word) => !hasWord(texts[file], word));
  const places: readonly [boolean, string][] = [
    [
      isInstalled(texts, name),
      `package.json installs no version of ${name} for the tests: run "npm install --save-dev --save-exact ${name}"`,
    ],
    [
      missing(`src/${entry}.ts`, names).length === 0,
      `src/${entry}.ts, the module spoor/${entry}, does not export ${names.join(' and ')}: where it is missing, ${WRITE}`,
    ],
    [
      texts['docs/reference/integrations.md']?.includes(`\n## ${name}\n`) === true,
      `docs/reference/integrations.md has no section "## ${name}": write there which ops are recorded, and what is not seen`,
    ],
    [
      missing('docs/changelog.md', names).length === 0,
      `docs/changelog.md does not tell users of ${names.join(' and ')}: add a sentence`,
    ],
    [
      names.every((each) => isInTests(texts, 'integrations', each)),
      `No test of test/integrations uses ${names.join(' and ')}: write test/integrations/${entry}-wrap.test.ts`,
    ],
    [
      isInTests(texts, 'register', `'${name}'`),
      `No test of test/register plays programs with '${name}' under spoor/register: add it to test/register/programs.test.ts`,
    ],
  ];
  return places.filter(([isThere]) => !isThere).map(([, sentence]) => sentence);
}

function isInstalled(texts: Texts, name: string): boolean {
  const { devDependencies = {} } = JSON.parse(texts['package.json'] ?? '{}') as {
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  return (
    devDependencies[name] !== undefined || Object.values(devDependencies).some((at) => at.startsWith(`npm:${name}@`))
  );
}

function isInTests(texts: Texts, folder: string, word: string): boolean {
  const tests = Object.keys(texts).filter((file) => file.startsWith(`test/${folder}/`) && file.endsWith('.test.ts'));
  return tests.some((file) => hasWord(texts[file], word));
}

function hasWord(text: string | undefined, word: string): boolean {
  return (
    text?.split(word).some((before, index, parts) => {
      return index < parts.length - 1 && !/\w$/.test(before) && !/^\w/.test(parts[index + 1] ?? '');
    }) === true
  );
}

/** The texts as they stand here. */
export function textsHere(): Texts {
  const files = [
    ...Object.keys(FOLLOWING),
    ...MANIFESTS.map(({ entry }) => `src/${entry}.ts`),
    ...filesIn('src/integrations'),
    ...filesIn('test/integrations'),
    ...filesIn('test/register'),
    'docs/changelog.md',
  ];
  const there = files.filter((file) => existsSync(join(ROOT, file)));
  return Object.fromEntries(there.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
}
