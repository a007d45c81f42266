import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Bench, Piece } from '../../src/testing/transparency/kit.ts';
import { buildOnce } from '../build.ts';
import { blocksOf, hasOldDecorators, pages } from '../docs/blocks.ts';
import { type Compiler, type Consumer, COMPILERS, createConsumer, publicNames } from './consumer.ts';

const TESTS = new URL('.', import.meta.url);

/** Every program has it: a compiler that says nothing of it has looked at nothing. */
const WRONG = "import { traced } from 'spoor';\nexport const wrong: number = traced((text: string) => text)('');\n";
const COMPLAINT = "wrong.ts(2,14): error TS2322: Type 'string' is not assignable to type 'number'.";

/** Nobody needs these in CommonJS on a Node that cannot require them. */
const SERVING = ['spoor/reader', 'spoor/server', 'spoor/testing'];

const STRICT = { target: 'es2022', types: ['node'], strict: true, noEmit: true };
const NODE = { ...STRICT, lib: ['es2023', 'esnext.disposable'], module: 'nodenext', exactOptionalPropertyTypes: true };
const BUNDLER = {
  ...STRICT,
  lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  exactOptionalPropertyTypes: false,
};

vi.setConfig({ testTimeout: 300_000 });

let consumer: Consumer;
let typeTests: readonly string[];
const blocks = pages()
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'ts');

beforeAll(async () => {
  await buildOnce();
  consumer = createConsumer();
  consumer.write('package.json', '{ "type": "module" }');
  consumer.write('wrong.ts', WRONG);
  const names = publicNames();
  consumer.write('entries.ts', names.map((name, index) => `export * as e${index} from '${name}';\n`).join(''));
  const requires = names.map((name, index) => `import e${index} = require('${name}');\nexport { e${index} };\n`);
  const use = 'export const n: number = e0.traced((n: number) => n)(1);\n';
  consumer.write('requires.cts', `${requires.join('')}${use}`);
  const recording = requires.filter((_, index) => !SERVING.includes(names[index] ?? ''));
  consumer.write('recording.cts', `${recording.join('')}${use}`);
  for (const block of blocks) consumer.write(`blocks/${block.fileName}`, `${block.code}\nexport {};\n`);
  typeTests = writeTypeTests();
}, 120_000);

afterAll(() => consumer.remove());

/** Those of what is published, as a user would write them. */
function writeTypeTests(): string[] {
  const files = readdirSync(TESTS).filter((file) => file.endsWith('.test-d.ts'));
  return files.flatMap((file) => {
    const source = readFileSync(new URL(file, TESTS), 'utf8')
      .replaceAll(/'\.\.\/\.\.\/src\/testing\/index\.ts'/g, "'spoor/testing'")
      .replaceAll(/'\.\.\/\.\.\/src\/(?:objects\/(?!template)|tracing\/|index)[^']*'/g, "'spoor'")
      .replaceAll(/'\.\.\/\.\.\/src\/objects\/template\.ts'/g, "'../node_modules/spoor/dist/objects/template.js'");
    if (source.includes("'../../src/")) return [];
    consumer.write(`tests/${file}`, source);
    return [`tests/${file}`];
  });
}

/** The kit's wrapper, which wraps nothing: what is asked here is what the compiler says. */
const BARE: Bench = {
  wrap: (fn) => fn,
  decorate: () => {
    throw new Error('Types need no decorators');
  },
  nameOf: (name) => name,
  isBare: true,
  subject: { name: 'traced', wrap: (fn) => fn },
  target: undefined,
};

afterEach(() => vi.restoreAllMocks());

/** Older compilers take most of a minute, so `npm test` shows them as skipped: CI runs them all. */
test('the pages name the oldest version that is tried', () => {
  const oldest = COMPILERS[0].replace('typescript-', '').replace('-', '.');
  for (const page of ['README.md', 'docs/start.md'])
    expect(readFileSync(new URL(`../../${page}`, TESTS), 'utf8')).toMatch(
      new RegExp(`TypeScript,? ${oldest} or newer`),
    );
});

const isAskedFor = (compiler: Compiler) => compiler === 'typescript' || process.env['COMPILERS'] === 'all';

for (const compiler of COMPILERS)
  describe.skipIf(!isAskedFor(compiler))(`With ${compiler}`, () => {
    const complaints = (files: readonly string[], compilerOptions: Readonly<Record<string, unknown>>) =>
      consumer.compile(compiler, { files: [...files, 'wrong.ts'], compilerOptions });

    test('takes the declarations of the package from ES modules and CommonJS of Node', async () => {
      expect(await complaints(['entries.ts', 'requires.cts'], NODE)).toEqual([COMPLAINT]);
    });

    test('takes the declarations of what records from CommonJS of a Node that requires no ES modules', async () => {
      expect(await complaints(['recording.cts'], { ...NODE, module: 'node16' })).toEqual([COMPLAINT]);
    });

    // With a compiler of today that is how packages are found as with Node, by `exports`, and with older ones by `typesVersions`.
    test('takes the declarations of the package from CommonJS without the way of Node', async () => {
      const options = { ...STRICT, lib: NODE.lib, module: 'commonjs', skipLibCheck: true };
      expect(await complaints(['requires.cts'], options)).toEqual([COMPLAINT]);
    });

    // As in a folder without settings: newer compilers load no types by themselves.
    test('takes the declarations of what records without types of Node, and with no more than the language', async () => {
      const options = { target: 'es2022', module: 'nodenext', strict: true, noEmit: true, types: [] };
      expect(await complaints([], options)).toEqual([COMPLAINT]);
    });

    test('takes the declarations of the package in a bundler', async () => {
      expect(await complaints(['entries.ts'], BUNDLER)).toEqual([COMPLAINT]);
    });

    test('takes type tests and the code in the pages', async () => {
      expect(typeTests.length).toBeGreaterThan(3);
      const others = blocks.filter((block) => !hasOldDecorators(block)).map(({ fileName }) => `blocks/${fileName}`);
      expect(await complaints([...typeTests, ...others], { ...NODE, skipLibCheck: true })).toEqual([COMPLAINT]);
    });

    test('lets the checks of types pass that the conformance kit makes', async () => {
      const folder = consumer.install(compiler);
      vi.spyOn(process, 'cwd').mockReturnValue(folder);
      // It compiles once per process.
      vi.resetModules();
      const { typesTransparency } = await import('../../src/testing/transparency/signatures.ts');
      const pieces: [name: string, piece: Piece][] = [];
      typesTransparency({ check: (...check) => pieces.push(check) });
      const outcomes = pieces.map(async ([name, { run, sees }]) => {
        const seen = await Promise.resolve(run(BARE)).catch((error: Error) => error.message);
        expect({ name, seen }).toEqual({ name, seen: sees });
      });
      await Promise.all(outcomes);
      expect(pieces.length).toBeGreaterThan(10);
    });

    test('takes the code in the pages that is for older decorators', async () => {
      const old = blocks.filter(hasOldDecorators).map(({ fileName }) => `blocks/${fileName}`);
      expect(old.length).toBeGreaterThan(0);
      const options = { ...NODE, skipLibCheck: true, experimentalDecorators: true };
      expect(await complaints(old, options)).toEqual([COMPLAINT]);
    });
  });
