import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BenchWrap } from './kit.ts';

/** Sources that were compiled together, each for itself to be looked at. */
export interface Compiled {
  /** Diagnostics of the compiler on a source. */
  readonly diagnostics: (name: string) => string[];
  /** The declarations that it emitted. */
  readonly declarations: (name: string) => string;
  /** Runs what it emitted; `wrap` is the one that the source imports. */
  readonly load: (name: string, wrap: BenchWrap) => Readonly<Record<string, unknown>>;
}

const OPTIONS = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'esnext.disposable'],
  module: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  declaration: true,
  skipLibCheck: true,
  outDir: 'out',
  rootDir: '.',
};

/** Where emitted code finds the wrapper of the moment. */
const WRAP = Symbol.for('spoor.transparency.wrap');

const PACKAGE_ROOT = dirname(createRequire(import.meta.url).resolve('spoor/package.json'));

/**
 * Compiles sources that import `{ wrap }` from `./wrap`, with the TypeScript of the current folder. `type` is the type
 * of the wrapper; the packages in it are found where the current folder finds them.
 */
export async function compile(type: string, sources: Readonly<Record<string, string>>): Promise<Compiled> {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-types-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  linkPackages(folder, type);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('package.json', '{}');
  write('tsconfig.json', JSON.stringify({ compilerOptions: OPTIONS, include: ['*.ts'] }));
  write('wrap.ts', wrapSource(type));
  for (const [name, source] of Object.entries(sources)) write(`${name}.ts`, source);
  const lines = await runCompiler(folder);
  const general = lines.filter((line) => !/^[\w-]+\.ts\(/.test(line) || line.startsWith('wrap.ts('));
  assert.deepEqual(general, [], 'The type of the wrapper cannot be compiled');
  return {
    diagnostics: (name) => lines.filter((line) => line.startsWith(`${name}.ts(`)),
    declarations: (name) => readFileSync(join(folder, 'out', `${name}.d.ts`), 'utf8'),
    load: (name, wrap) => load(join(folder, 'out', `${name}.js`), wrap),
  };
}

function wrapSource(type: string): string {
  return `
    type Wrap = ${type};
    const forward = (...args: unknown[]): unknown => Reflect.get(globalThis, Symbol.for('${WRAP.description}'))(...args);
    export const wrap = forward as unknown as Wrap;
  `;
}

/** Packages are linked rather than copied, so that they find what they depend on. */
function linkPackages(folder: string, type: string): void {
  for (const [, name = ''] of type.matchAll(/import\(['"]((?:@[\w.-]+\/)?[\w-][\w.-]*)[^'"]*['"]\)/g)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(name === 'spoor' ? PACKAGE_ROOT : join(process.cwd(), 'node_modules', name), link, 'junction');
  }
}

/** Lines of diagnostics; a line that goes on belongs to the one before. */
async function runCompiler(folder: string): Promise<string[]> {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc');
  const output = await new Promise<string>((done, fail) => {
    execFile(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { cwd: folder }, (error, stdout) =>
      error && typeof error.code !== 'number' ? fail(error) : done(stdout),
    );
  });
  return output
    .replaceAll(/\n\s+/g, ' ')
    .split('\n')
    .filter((line) => line !== '');
}

/** Emitted code is CommonJS, so that it can be run anew for each wrapper. */
function load(path: string, wrap: BenchWrap): Readonly<Record<string, unknown>> {
  const require = createRequire(path);
  Reflect.set(globalThis, WRAP, wrap);
  delete require.cache[path];
  return require(path) as Readonly<Record<string, unknown>>;
}
