import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { MANIFESTS } from '../src/integrations/manifests.ts';
import { buildOnce } from './build.ts';
import { loadedWith } from './loaded-with.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Packages of the serving half: none may reach a program that only records or reads. */
const SERVING = [
  '@sinclair/typebox',
  'fastify',
  'pino',
  'lossless-json',
  '@photostructure/sqlite',
  '@clickhouse/client',
  'commander',
  'cli-progress',
];

/** A bundle of one entry of the built package, everything inlined but the built-in modules. */
async function bundle(entry: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: [`${ROOT}dist/${entry}`],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    outdir: 'out',
    // Loaded on first use, so they are measured apart.
    external: ['p-queue', '@opentelemetry/api'],
  });
  return metafile;
}

function bytesOf(metafile: Metafile): number {
  return Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
}

beforeAll(buildOnce);

describe('the entry spoor', () => {
  test('holds no validator, server framework or database driver', async () => {
    const inputs = Object.keys((await bundle('index.js')).inputs);
    expect(inputs.filter((input) => SERVING.some((name) => input.includes(`node_modules/${name}/`)))).toEqual([]);
    const { sources } = await loadedWith('dist/index.js');
    expect(sources.length).toBeGreaterThan(10);
    expect(
      sources.filter((source) => /^src\/(storage|server|cli|testing|integrations|register)\//.test(source)),
    ).toEqual([]);
  });

  test('stays small', async () => {
    expect(bytesOf(await bundle('index.js'))).toBeLessThan(271_000);
  });

  test('can be required from CommonJS', () => {
    const script = "const { traced } = require('spoor'); console.log(typeof traced, traced((a) => a + 1)(1))";
    const env = { ...process.env, SPOOR_DISABLED: '1', NODE_NO_WARNINGS: '1' };
    const output = execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8', env });
    expect(output.trim()).toBe('function 2');
  });

  test('loads nothing of the network until it is needed', () => {
    const script = `
      import('spoor').then(() => {
        const loaded = process.moduleLoadList.filter((name) => /undici|NativeModule (http|https|http2|net|tls|worker_threads)$/.test(name));
        console.log(JSON.stringify(loaded));
      });`;
    const output = execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual([]);
  });
});

test('declarations of what records name no package that may be left out', () => {
  const entries = ['index', ...MANIFESTS.map(({ entry }) => entry), 'otel', 'register/register'];
  const named = entries.flatMap((entry) => [...packagesNamedBy(`${ROOT}dist/${entry}.d.ts`)]);
  // Who wraps a library has it.
  const libraries: readonly string[] = MANIFESTS.map(({ name }) => name);
  expect(new Set(named.filter((name) => !libraries.includes(name)))).toEqual(new Set(['@opentelemetry/api']));
});

test('declarations for integrations name nothing but what comes with Node', () => {
  const named = [...packagesNamedBy(`${ROOT}dist/instrument.d.ts`)];
  expect(named.filter((name) => !name.startsWith('node:'))).toEqual([]);
});

/** Packages that declarations import, also through those that they import. */
function packagesNamedBy(entry: string): Set<string> {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\()['"]([^'"]+)['"]/g)) {
      if (name.startsWith('.')) files.add(resolve(dirname(file), name.replace(/\.[jt]s$/, '.d.ts')));
      else packages.add(name);
    }
  }
  return packages;
}

test('the reader runs in a browser: it imports nothing built into Node', async () => {
  const result = await build({
    entryPoints: [`${ROOT}dist/reader/reader.js`],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
  });
  const inputs = Object.keys(result.metafile.inputs);
  expect(inputs.filter((input) => input.startsWith('node:') || input.includes('node_modules'))).toEqual([]);
});

/** What the service asks for when it starts; their names end with a hash. */
const AT_START = /^(?:program|serve|app|spool-watch|sqlite-storage)-\w+\.js$/;

test('the start of the service loads nothing that delivers records or makes objects', async () => {
  const chunks = readdirSync(`${ROOT}dist/chunks`).filter((file) => AT_START.test(file));
  expect(chunks.length).toBeGreaterThanOrEqual(4);
  for (const file of ['server/create-server.js', ...chunks.map((chunk) => `chunks/${chunk}`)]) {
    const { sources } = await loadedWith(`dist/${file}`);
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((source) => /^src\/(delivery|integrations|objects)\//.test(source))).toEqual([]);
  }
});

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly engines?: { readonly node?: string };
}

function lockedPackages(): [string, LockedPackage][] {
  const lock = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true);
}

/** The smallest major version that an `engines.node` range names: enough to see that Node 20 is left out. */
function smallestMajor(range: string): number {
  return Math.min(...[...range.matchAll(/(?:^|[\s|^~>=])(\d+)/g)].map(([, major]) => Number(major)));
}

describe('what is installed', () => {
  test('every package that a user installs runs on Node 20', () => {
    const locked = lockedPackages();
    expect(locked.length).toBeGreaterThan(20);
    expect(locked.filter(([, { engines }]) => smallestMajor(engines?.node ?? '0') > 20)).toEqual([]);
  });

  test('every optional package is there: npm leaves out silently what does not fit', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    expect(Object.keys(optionalDependencies).filter((name) => !existsSync(`${ROOT}node_modules/${name}`))).toEqual([]);
  });

  test('a plain install has at most 140 packages, one without optional packages at most 16', () => {
    const locked = lockedPackages();
    expect(locked.length).toBeLessThanOrEqual(140);
    expect(locked.filter(([, { optional, devOptional }]) => !optional && !devOptional).length).toBeLessThanOrEqual(16);
  });

  test('nothing of it is there for the page, which brings what it shows within its build', () => {
    const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as Readonly<
      Record<'dependencies' | 'optionalDependencies' | 'devDependencies', Record<string, string>>
    > & { readonly peerDependencies?: Record<string, string> };
    const { dependencies, optionalDependencies, devDependencies, peerDependencies = {} } = manifest;
    const ofPage = packagesOfPage();
    expect(ofPage).toEqual(expect.arrayContaining(['react', 'react-dom', '@tanstack/react-query', 'marked', 'wouter']));
    expect(ofPage.filter((name) => !(name in devDependencies))).toEqual([]);
    const installed = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    expect(ofPage.filter((name) => name in installed)).toEqual([]);
    const locked = lockedPackages().map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(ofPage.filter((name) => locked.includes(name))).toEqual([]);
  });

  test('the lock file is complete: npm ci refuses one without the packages of other platforms', () => {
    const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const named = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
    expect(named.length).toBeGreaterThan(50);
    // `node .ci/complete-lock.mjs` adds what is missing.
    expect(
      named.filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`))),
    ).toEqual([]);
  });

  test.each(['', 'bench/'])('the lock file of ./%s names no download addresses', (folder) => {
    expect(readFileSync(`${ROOT}${folder}package-lock.json`, 'utf8')).not.toContain('"resolved"');
  });
});

/** Packages that sources of the page name, and those that build it. */
function packagesOfPage(): readonly string[] {
  const sources = readdirSync(`${ROOT}src/ui`, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const named = sources.flatMap((file) => {
    const text = readFileSync(`${ROOT}src/ui/${file}`, 'utf8');
    return [...text.matchAll(/(?:\bfrom |\bimport |\bimport\()'([^'.][^']*)'/g)].map(([, name = '']) =>
      packageOf(name),
    );
  });
  return [...new Set([...named, 'vite', '@vitejs/plugin-react'])].filter((name) => name !== 'spoor').sort();
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

interface Pack {
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly size: number;
  readonly unpackedSize: number;
}

function packed(): Pack {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [pack] = JSON.parse(output) as [Pack];
  return pack;
}

/** Bytes of the files of a package, without the packages in it. */
function installedBytes(name: string): number {
  const folder = `${ROOT}node_modules/${name}`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => !/node_modules/.test(file));
  return files
    .map((file) => statSync(`${folder}/${file}`))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

/** The functions of a built file by their names in the source, and the line where its map says that they are. */
function functionsIn(mapFile: string): readonly { readonly name: string; readonly line: string }[] {
  const map = new SourceMap(JSON.parse(readFileSync(`${ROOT}${mapFile}`, 'utf8')) as SourceMapPayload);
  const lines = readFileSync(`${ROOT}${mapFile.slice(0, -'.map'.length)}`, 'utf8').split('\n');
  return lines.flatMap((text, row) =>
    [...text.matchAll(/\bfunction\*? ?(\w+)\(/g)].map(({ 1: name = '', index }) => {
      const entry = map.findEntry(row, index);
      if (!('originalSource' in entry)) return { name, line: '' };
      const source = readFileSync(join(ROOT, mapFile, '..', entry.originalSource), 'utf8');
      // Of two with one name the bundler gives one a number.
      return { name: name.replace(/\d+$/, ''), line: source.split('\n')[entry.originalLine] ?? '' };
    }),
  );
}

describe('the tarball', () => {
  test('holds the build and the papers, nothing else, and stays small', () => {
    const { files, size, unpackedSize } = packed();
    const outside = files.map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
    expect(outside.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    // Bytes. A seventh is the page, packed; a tenth are source maps, of lines only, and an eighth the copy for an older Node.
    expect(size).toBeLessThan(1_900_000);
    expect(unpackedSize).toBeLessThan(4_250_000);
  });

  test('grows by at most 1.5 MB for the page, as it is packed for browsers', () => {
    const page = packed().files.filter(({ path }) => path.startsWith('dist/ui/'));
    expect(page.length).toBeGreaterThan(10);
    expect(page.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(1_500_000);
  });

  test('takes at most 6 MB with the packages that it cannot do without', () => {
    const needed = lockedPackages()
      .filter(([, { optional, devOptional }]) => !optional && !devOptional)
      .map(([path]) => path.slice('node_modules/'.length));
    expect(needed).toContain('p-queue');
    const bytes = needed.map(installedBytes).reduce((sum, each) => sum + each, packed().unpackedSize);
    expect(bytes).toBeLessThanOrEqual(6_000_000);
  });

  test('has maps that lead to the lines of the sources', () => {
    const maps = packed()
      .files.map(({ path }) => path)
      .filter((file) => file.endsWith('.js.map') && !file.startsWith('dist/ui/'));
    const looked = maps.flatMap((file) => functionsIn(file));
    expect(looked.length).toBeGreaterThan(2000);
    expect(looked.filter(({ name, line }) => !line.includes(name))).toEqual([]);
  });

  test('holds every module once', () => {
    const files = packed().files.map(({ path }) => path);
    const chunks = files.filter((file) => file.endsWith('.js.map'));
    const sources = chunks.flatMap((file) => {
      const { sources: own } = JSON.parse(readFileSync(`${ROOT}${file}`, 'utf8')) as { sources: string[] };
      return own.map((source) => source.replace(/^(\.\.\/)+/, ''));
    });
    expect(sources.length).toBeGreaterThan(400);
    expect(sources.filter((source, index) => sources.indexOf(source) !== index)).toEqual([]);
  });
});
