// docs/decisions/0019-few-files.md says why.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { build, type BuildOptions, type Metafile, type OutputFile, type Plugin, transform } from 'esbuild';
import { bundleCommands, withoutReading } from './bundle-commands.ts';
import { mapOfLines } from './bundle-maps.ts';
import { noticeOf } from './bundle-notices.ts';
import { MANIFESTS } from './src/integrations/manifests.ts';

const ROOT = import.meta.dirname;

/** What is imported by its name. */
const PUBLIC = [
  'src/index.ts',
  'src/register/register.ts',
  ...MANIFESTS.map(({ entry }) => `src/${entry}.ts`),
  'src/instrument.ts',
  'src/otel.ts',
  'src/reader/reader.ts',
  'src/client/local-reader.ts',
  'src/server/create-server.ts',
  'src/testing/index.ts',
];

/** Of these, what records: an older Node resolves them to files that say so, and go on without recording. */
const RECORDING = PUBLIC.filter((file) => !/\/(reader|local-reader|server|testing)[/.]/.test(file));

/** That, what is started by its path, and the storage, which tests open. Each keeps its place. */
const ENTRIES = [
  ...PUBLIC,
  'src/cli/start/modules.ts',
  'src/register/program-loader.ts',
  'src/storage/open.ts',
  'src/storage/sqlite/threads/thread.ts',
  'src/storage/sqlite/upkeep/copy-thread.ts',
  'src/server/ingest/feedback/schema-thread.ts',
  'src/server/ingest/large/body-thread.ts',
];

const OPTIONS = {
  absWorkingDir: ROOT,
  entryPoints: ENTRIES,
  outbase: 'src',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  metafile: true,
  // That modules have no effects would tear groups apart: what nobody in an entry uses would not be loaded with it.
  ignoreAnnotations: true,
} satisfies BuildOptions;

/**
 * Kits are read as they stand, and some of their functions are looked at: their names and their text. Their map would be as
 * large as they are, and every install would have it.
 */
const KITS = 'testing/index.js';

/**
 * Writes the JavaScript of the package to `folder`, where the compiler has written declarations: a file per entry and the
 * chunks that they share, so that no module is there twice. Code of builds before goes, what others have put there stays. Every file that an import reads
 * costs a quarter of a millisecond, so `import 'spoor'` is to read few.
 */
export async function bundle(folder: string): Promise<void> {
  const options = { ...OPTIONS, outdir: folder, write: false } satisfies BuildOptions;
  const { metafile } = await build({ ...options, plugins: [withoutReading] });
  const result = await build({
    ...options,
    // Positions without the text of the sources, which would be half of the package.
    sourcemap: true,
    sourcesContent: false,
    plugins: [withoutReading, groupedBy(graphOf(metafile))],
  });
  const files = result.outputFiles.filter(({ path }) => !path.endsWith(`${KITS}.map`));
  await write(files);
  const written = [
    ...files.map(({ path }) => path),
    ...(await writeOlder(folder)),
    ...(await writeOlderTypes(folder, metafile)),
    ...(await bundleCommands(folder)),
  ];
  await removeOthers(folder, [...written, ...(await typesOf(folder, PUBLIC))]);
}

/**
 * Entries import all that they load, also where they take nothing from it. As modules of this package have no effects of
 * their own, that is of no use, and costs files. Lines stay, for source maps.
 */
async function write(files: readonly OutputFile[]): Promise<void> {
  const maps = new Map(files.filter(({ path }) => path.endsWith('.map')).map(({ path, text }) => [path, text]));
  for (const { path, text } of files.filter((file) => !maps.has(file.path))) {
    await mkdir(dirname(path), { recursive: true });
    // The line that stands before each module says where it is from, which source maps say, too.
    const lean = text.replace(/^import "\.[^"]*";$/gm, '').replace(/^\/\/ src\/\S+\.ts$/gm, '');
    const { code, map } = await withoutBlanks(lean, path, maps.get(`${path}.map`));
    await writeFile(path, code);
    if (map !== undefined) await writeFile(`${path}.map`, mapOfLines(map));
  }
}

/**
 * Blanks are a quarter of the text, and what can be said in fewer words is a twentieth. Names stay, and lines short enough to be printed with an error; the map leads on to the
 * lines of the sources.
 */
async function withoutBlanks(text: string, path: string, map: string | undefined) {
  const code = text.replace(/^\/\/# sourceMappingURL=.*$/m, '').trimEnd();
  const options = {
    minifyWhitespace: true,
    // A function that nothing calls by its name would lose it.
    minifySyntax: !path.endsWith(KITS),
    lineLimit: 120,
    format: 'esm',
    target: OPTIONS.target,
  } as const;
  if (map === undefined) return { code: (await transform(code, options)).code, map };
  const inline = `data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  const lean = await transform(`${code}\n//# sourceMappingURL=${inline}\n`, {
    ...options,
    sourcemap: 'external',
    sourcesContent: false,
    sourcefile: basename(path),
  });
  return { code: `${lean.code}//# sourceMappingURL=${basename(path)}.map\n`, map: lean.map };
}

/**
 * What a Node resolves to that does not know the condition `module-sync`, as do bundlers: the same modules, after what
 * older ones lack. `require` of a Node that loads no ES modules that way gets a copy of all that records, which nobody else
 * reads; it is switched off there.
 */
async function writeOlder(folder: string): Promise<readonly string[]> {
  const older = resolve(folder, 'older');
  await mkdir(older, { recursive: true });
  const inCopy = RECORDING.filter((file) => !file.endsWith('/register.ts'));
  await writeCopy(resolve(older, 'library.cjs'), inCopy);
  const texts: Record<string, string> = { 'missing.cjs': MISSING };
  for (const file of RECORDING) {
    const built = file.replace(/^src\/(.*)\.ts$/, '$1.js');
    const name = basename(file, '.ts');
    texts[`${name}.js`] = `import './missing.cjs';\nexport * from '../${built}';\n`;
    // Of what registers there is nothing to do but to say so, as the library does.
    texts[`${name}.cjs`] = commonJsOf(built, inCopy.indexOf(file));
  }
  for (const [name, text] of Object.entries(texts)) await writeFile(resolve(older, name), text);
  return ['library.cjs', ...Object.keys(texts)].map((name) => resolve(older, name));
}

/**
 * Declarations of what `require` gets, as CommonJS: a compiler that is set to a Node which requires no ES modules (`node16`)
 * refuses those of ES modules there. They name the others, so that both are the same types.
 */
async function writeOlderTypes(folder: string, { outputs }: Metafile): Promise<readonly string[]> {
  const texts = (await typesOf(folder, RECORDING)).map((file) => readFile(file, 'utf8'));
  const classes = classesIn((await Promise.all(texts)).join('\n'));
  const writing = RECORDING.map(async (file) => {
    const built = file.replace(/^src\/(.*)\.ts$/, '$1.js');
    const names = outputs[relative(ROOT, resolve(folder, built)).replaceAll('\\', '/')]?.exports ?? [];
    if (names.length === 0 && file !== 'src/register/register.ts') throw new Error(`${file} exports nothing`);
    const declarations = names.map((name) => declarationOf(name, classes.get(name)));
    const path = resolve(folder, 'older', `${basename(file, '.ts')}.d.cts`);
    await writeFile(path, olderTypes(`../${built}`, declarations));
    return path;
  });
  return Promise.all(writing);
}

function olderTypes(from: string, declarations: readonly string[]): string {
  if (declarations.length === 0) return 'export {};\n';
  const mode = "with { 'resolution-mode': 'import' }";
  const head = [`import type * as esm from '${from}' ${mode};`, `export type * from '${from}' ${mode};`];
  return `${[...head, ...declarations].join('\n')}\n`;
}

/** Type parameters of classes, which are types as well as values; without any they are empty. */
function classesIn(declarations: string): ReadonlyMap<string, string> {
  const found = declarations.matchAll(/^export declare class (\w+)(?:<(.*?)>(?= [ie{]))?/gm);
  return new Map([...found].map(([, name = '', parameters = '']) => [name, parameters.replace(/^const /, '')]));
}

/** `parameters` of a class. */
function declarationOf(name: string, parameters: string | undefined): string {
  const value = `export declare const ${name}: typeof esm.${name};`;
  if (parameters === undefined) return value;
  const [own = ''] = /^\w*/.exec(parameters) ?? [];
  return parameters === ''
    ? `${value}\nexport type ${name} = esm.${name};`
    : `${value}\nexport type ${name}<${parameters}> = esm.${name}<${own}>;`;
}

async function writeCopy(outfile: string, files: readonly string[]): Promise<void> {
  const contents = files.map((file, index) => `export * as m${index} from './${file}';`).join('');
  await build({
    absWorkingDir: ROOT,
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    outfile,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node18',
    define: { 'import.meta.url': '__filename' },
    // Who loads modules himself may know `require` alone.
    supported: { 'dynamic-import': false },
    plugins: [withoutPackagesBut(INLINED)],
    banner: { js: (await Promise.all(INLINED.map(noticeOf))).join('\n') },
  });
}

/** Packages that are ES modules only, which `require` of jest does not load. */
const INLINED = ['p-queue', 'p-timeout', 'eventemitter3'];

function withoutPackagesBut(names: readonly string[]): Plugin {
  return {
    name: 'packages',
    setup: (building) =>
      building.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
        kind === 'entry-point' || names.includes(path) ? undefined : { path, external: true },
      ),
  };
}

/**
 * Bundlers see the module that is there, and not the copy, which nobody who bundles needs. Whoever loads modules himself, as
 * jest does, may load no ES modules by `require` on a Node that would: the copy records there.
 */
function commonJsOf(built: string, index: number): string {
  // Of what registers there is no copy that could do it.
  const isOther = index === -1 ? 'true' : "error?.code !== 'ERR_REQUIRE_ESM' && error?.name !== 'SyntaxError'";
  const useCopy = `${index === -1 ? '' : 'module.exports = '}require(copy)${index === -1 ? '' : `.m${index}`};`;
  return `'use strict';
const copy = './library.cjs';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  try {
    module.exports = require('../${built}');
  } catch (error) {
    if (${isOther}) throw error;
    ${useCopy}
  }
} else {
  require('./missing.cjs');
  ${useCopy}
}
`;
}

/**
 * What the library asks of a Node even where it is switched off. It stands under a name of our own: what programs find
 * among their globals is theirs.
 */
const MISSING = `'use strict';
globalThis[Symbol.for('spoor.builtin.1')] ??= process.getBuiltinModule ?? require;
`;

/** Declarations that those of the entries name, themselves included: a third of what the compiler has written. */
async function typesOf(folder: string, entries: readonly string[]): Promise<readonly string[]> {
  const seen = new Set<string>();
  const visit = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = await readFile(path, 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:\bfrom |\bimport\()['"](\.[^'"]+)\.[jt]s['"]/g)) {
      await visit(resolve(dirname(path), `${name}.d.ts`));
    }
  };
  for (const entry of entries) await visit(resolve(folder, entry.replace(/^src\/(.*)\.ts$/, '$1.d.ts')));
  return [...seen];
}

/** Names of files that the compiler and this bundle make. */
const MADE = /\.(?:c?js|d\.c?ts)(?:\.map)?$/;

/** Code of earlier builds goes, too: chunks have other names when something in them changes. The page is built by itself. */
export async function removeOthers(folder: string, files: readonly string[]): Promise<void> {
  const page = resolve(folder, 'ui') + sep;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = resolve(entry.parentPath, entry.name);
    if (entry.isFile() && MADE.test(entry.name) && !files.includes(path) && !path.startsWith(page)) await rm(path);
  }
}

interface Graph {
  readonly entries: readonly string[];
  /** All that is loaded with a file, in the order in which it is evaluated. */
  readonly loadedWith: (file: string) => readonly string[];
}

function graphOf({ inputs }: Metafile): Graph {
  const imports = Object.values(inputs)
    .flatMap((input) => input.imports)
    .filter(({ external }) => external !== true);
  const dynamic = imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path);
  const visit = (file: string, seen: Set<string>, ordered: string[]): readonly string[] => {
    if (seen.has(file)) return ordered;
    seen.add(file);
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) visit(path, seen, ordered);
    }
    ordered.push(file);
    return ordered;
  };
  return { entries: [...new Set([...ENTRIES, ...dynamic])], loadedWith: (file) => visit(file, new Set(), []) };
}

/**
 * Modules that are in one file each: what the recording half shares with the reader, which runs in browsers, with the
 * service and the commands that read, and the rest of the recording half. The bundler alone makes a file for each set of
 * entries that share something: twenty for `import 'spoor'`.
 */
function groupsOf({ loadedWith }: Graph): readonly (readonly string[])[] {
  const ofReader = new Set(loadedWith('src/reader/reader.ts'));
  const ofOthers = new Set(
    [
      'src/server/create-server.ts',
      // What the service loads when it starts: without these it would read all that records, for a digest and a version.
      'src/server/app.ts',
      'src/server/spool-watch.ts',
      'src/cli/program.ts',
      'src/cli/commands/serve.ts',
    ].flatMap(loadedWith),
  );
  const ofEntry = loadedWith('src/index.ts').filter((file) => file !== 'src/index.ts');
  return [
    ofEntry.filter((file) => ofReader.has(file)),
    ofEntry.filter((file) => !ofReader.has(file) && ofOthers.has(file)),
    ofEntry.filter((file) => !ofReader.has(file) && !ofOthers.has(file)),
  ];
}

/**
 * The bundler puts modules into one file that the same entries load. So each entry that loads a module of a group imports
 * the whole group, through a module that exists only here.
 */
function groupedBy({ entries, loadedWith }: Graph): Plugin {
  const groups = groupsOf({ entries, loadedWith });
  const importsOf = new Map(
    entries.map((entry) => {
      const needed = groupsLoadedWith(loadedWith(entry), { groups, loadedWith });
      return [entry, needed.map((group) => `import 'group:${groups.indexOf(group)}';`).join('')];
    }),
  );
  return {
    name: 'grouped',
    setup(building) {
      building.onResolve({ filter: /^group:/ }, ({ path }) => ({ path, namespace: 'group' }));
      building.onLoad({ filter: /^/, namespace: 'group' }, ({ path }) => ({
        contents: (groups[Number(path.slice('group:'.length))] ?? []).map((file) => `import './${file}';`).join(''),
        resolveDir: ROOT,
      }));
      building.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const file = relative(ROOT, path).replaceAll('\\', '/');
        const source = await readFile(path, 'utf8');
        const isRecording = groups.some((group) => group.includes(file));
        return {
          contents: (importsOf.get(file) ?? '') + (isRecording ? withoutFacades(source) : source),
          loader: 'ts',
        };
      });
    },
  };
}

/** Groups of which some of these files are, and those that a whole group of them needs. */
function groupsLoadedWith(
  files: readonly string[],
  { groups, loadedWith }: Pick<Graph, 'loadedWith'> & { readonly groups: readonly (readonly string[])[] },
): readonly (readonly string[])[] {
  const loaded = new Set(files);
  const needed = groups.filter((group) => group.some((file) => loaded.has(file)));
  const all = new Set([...loaded, ...needed.flat().flatMap((file) => loadedWith(file))]);
  return all.size === loaded.size ? needed : groupsLoadedWith([...all], { groups, loadedWith });
}

/**
 * The import of a built-in module asks it for each of its exports, among them some that load further modules: a tenth of
 * the time that `import 'spoor'` took on Node 20, a quarter on Node 24. Lines and their numbers stay.
 */
function withoutFacades(source: string): string {
  const text = source.replace(/^import \{([^}]*)\} from '(node:[^']+)';$/gm, (_, names: string, module: string) => {
    const values = names.replace(/\btype \w+,?/g, '').replaceAll(' as ', ': ');
    return `const {${values}} = builtinOf('${module}');`;
  });
  return text === source ? source : `import { builtin as builtinOf } from ${JSON.stringify(BUILTIN)};${text}`;
}

/** Hands out modules of Node; imported by its path, as who needs it may be anywhere. */
const BUILTIN = resolve(ROOT, 'src/host/builtin.ts');

// As a program: `tsx bundle.ts dist`.
if (process.argv[1] === import.meta.filename) await bundle(resolve(ROOT, process.argv[2] ?? 'dist'));
