// docs/how-to/add-a-captured-library.md says when.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { LibraryManifest } from './src/integrations/library-manifest.ts';
import { MANIFESTS } from './src/integrations/manifests.ts';

const ROOT = import.meta.dirname;

interface PackageFile {
  readonly sideEffects: readonly string[];
  readonly exports: Readonly<Record<string, unknown>>;
  /** The same declarations for compilers that know no `exports`. */
  readonly typesVersions: { readonly '*': Readonly<Record<string, readonly string[]>> };
}

type Manifests = readonly LibraryManifest[];

/** Files that say what the manifests of the captured libraries say: their text now, and what it is to be. */
export const FOLLOWING: Readonly<Record<string, (text: string, manifests: Manifests) => string>> = {
  'package.json': withEntries,
  'src/protocol/process/tested-libraries.ts': withTested,
  'src/register/captures.ts': (_text, manifests) => capturesOf(manifests),
  'docs/reference/integrations.md': withTable,
};

/** A wrapper of a manifest as it is exported: `wrapOpenAI` of `wrapOpenAI(client)`. */
export function exportedName(wrapper: string): string {
  return /(\w+)\(/.exec(wrapper)?.[1] ?? wrapper;
}

function withEntries(text: string, manifests: Manifests): string {
  const file = JSON.parse(text) as PackageFile;
  const modules = manifests.flatMap(({ entry }) => [`./dist/${entry}.js`, `./src/${entry}.ts`]);
  const entries = Object.fromEntries(manifests.map(({ entry }) => [`./${entry}`, exportOf(entry)]));
  const { '.': main, './package.json': self, ...others } = { ...file.exports, ...entries };
  const named = Object.entries(others).toSorted(byName);
  const sideEffects = [...new Set([...file.sideEffects, ...modules])].toSorted();
  const declared = { ...file.typesVersions['*'], ...Object.fromEntries(manifests.map(typesOf)) };
  const typesVersions = { '*': Object.fromEntries(Object.entries(declared).toSorted(byName)) };
  const exports = { '.': main, ...Object.fromEntries(named), './package.json': self };
  return `${JSON.stringify({ ...file, sideEffects, typesVersions, exports }, null, 2)}\n`;
}

function typesOf({ entry }: LibraryManifest): readonly [string, readonly string[]] {
  return [entry, [`./dist/${entry}.d.ts`]];
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function exportOf(entry: string): unknown {
  const [types, older] = [`./dist/${entry}.d.ts`, `./dist/older/${entry}`];
  return {
    'spoor-source': `./src/${entry}.ts`,
    'module-sync': { types, default: `./dist/${entry}.js` },
    require: { types: `${older}.d.cts`, default: `${older}.cjs` },
    default: { types, default: `${older}.js` },
  };
}

function withTested(text: string, manifests: Manifests): string {
  const lines = manifests.map(({ name, tested: { from, below } }) => {
    return `  ${keyOf(name)}: { from: [${from.join(', ')}], below: [${below.join(', ')}] },\n`;
  });
  return text.replace(/(?<=TESTED_LIBRARIES = \{\n).*?(?=\} as const)/s, lines.join(''));
}

function keyOf(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`;
}

function capturesOf(manifests: Manifests): string {
  const imports = manifests.map(({ capture, entry }) => {
    return `import { ${capture} } from '../integrations/${entry}/${entry}.ts';\n`;
  });
  const lines = manifests.map(({ name, capture }) => `  ${keyOf(name)}: ${capture},\n`);
  return `${imports.join('')}import type { CaptureLoaded } from './libraries.ts';
import type { TestedLibrary } from '../protocol/process/tested-libraries.ts';

/** The functions that the loader hooks give the modules of each library to. Written by \`npm run libraries:write\`. */
export const CAPTURES: Readonly<Record<TestedLibrary, CaptureLoaded>> = {
${lines.join('')}};
`;
}

function withTable(text: string, manifests: Manifests): string {
  const rows = manifests.map(({ name, entry, tested: { from, below }, wrappers }) => {
    const range = `${from.join('.')} up to, and without, ${below.join('.')}`;
    return `| \`${name}\` | ${range} | ${wrappers.map((each) => `\`${each}\``).join(', ')} of \`spoor/${entry}\` |\n`;
  });
  return text.replace(
    /(?<=\| Library \| Tested versions \| Wrapper \|\n\|---\|---\|---\|\n)(?:\|.*\n)*/,
    rows.join(''),
  );
}

/** The entry of a library as it begins. Its comment may say more, so one that is there stays. */
export function entryOf({ entry, wrappers }: LibraryManifest): string {
  return `import { installDefaultClient } from './client/default-client.ts';

export { ${wrappers.map(exportedName).join(', ')} } from './integrations/${entry}/${entry}.ts';

// What a wrapped client does is recorded without \`init()\`, also where nothing else of the package is imported.
installDefaultClient();
`;
}

async function write(): Promise<void> {
  for (const [file, follow] of Object.entries(FOLLOWING)) {
    const path = resolve(ROOT, file);
    await writeFile(path, follow(await readFile(path, 'utf8'), MANIFESTS));
  }
  for (const manifest of MANIFESTS) {
    const path = resolve(ROOT, `src/${manifest.entry}.ts`);
    if (!existsSync(path)) await writeFile(path, entryOf(manifest));
  }
}

// As a program: `npm run libraries:write`.
if (process.argv[1] === import.meta.filename) await write();
