import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transform } from 'esbuild';
import { type Call, createReader } from 'spoor/reader';
import { createServer, type SpoorServer } from 'spoor/server';
import { traceLines } from '../../src/cli/output/trace.ts';
import { shownStatusesOf } from '../../src/cli/shown-status.ts';
import { treesOf } from '../../src/cli/trace-tree.ts';
import { buildOnce } from '../build.ts';
import { type Block, blocksOf, hasOldDecorators, isTestFile, pages } from './blocks.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// Inside the package, so that `spoor` means this package as it does for a user.
const BLOCKS = join(ROOT, 'test', 'docs', '.blocks');
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const home = mkdtempSync(join(tmpdir(), 'spoor-docs-'));

interface WrittenBlock extends Block {
  readonly file: string;
}

const blocks: readonly WrittenBlock[] = pages()
  .flatMap(blocksOf)
  .map((block) => ({ ...block, file: join(BLOCKS, block.fileName) }));
let service: SpoorServer;

beforeAll(async () => {
  await buildOnce();
  service = await createServer({ storage: 'memory', port: 0, logLevel: 'silent' });
  mkdirSync(BLOCKS, { recursive: true });
  // None of ours, as a user has none either, but what the page on the kit advises.
  writeFileSync(join(BLOCKS, 'vitest.config.mjs'), 'export default { test: { testTimeout: 30_000 } };');
  for (const block of blocks) await writeBlock(block);
}, 120_000);

afterAll(async () => {
  await service.close();
  rmSync(BLOCKS, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
});

/** As it stands for the compiler, and for Node as `tsx` makes it. */
async function writeBlock(block: WrittenBlock): Promise<void> {
  const code = `${block.code}\nexport {};\n`;
  writeFileSync(block.file, code);
  const compilerOptions = { target: 'es2022', experimentalDecorators: hasOldDecorators(block) };
  const program = await transform(code, {
    loader: 'ts',
    target: 'es2022',
    keepNames: true,
    tsconfigRaw: { compilerOptions },
  });
  writeFileSync(programOf(block), program.code);
}

function programOf({ file }: WrittenBlock): string {
  return file.replace(/\.ts$/, '.mjs');
}

/** Blocks are programs, or files of tests. */
function commandOf(block: WrittenBlock): string[] {
  return isTestFile(block.code) ? [VITEST, 'run', '--root', BLOCKS, basename(block.file)] : [programOf(block)];
}

/** Complaints of the compiler about these blocks. */
async function compile(chosen: readonly WrittenBlock[], options: Readonly<Record<string, unknown>>): Promise<string> {
  const files = chosen.map(({ file }) => file);
  const config = { extends: '../../../tsconfig.json', files, compilerOptions: { customConditions: [], ...options } };
  const path = join(BLOCKS, `tsconfig-${Object.keys(options).join('-')}.json`);
  writeFileSync(path, JSON.stringify({ ...config, include: [] }));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const running = run(process.execPath, [tsc, '-p', path], { cwd: ROOT });
  return (await running.catch((error: { stdout: string }) => error)).stdout;
}

function projectOf({ page, line }: Block): string {
  return `docs/${page.replaceAll(/[^a-z]/gi, '-')}-${line}`;
}

/** What the library says of a service that a kit takes away. */
const SERVICE_AWAY = /^spoor: Cannot deliver to "http:\/\/127\.0\.0\.1:\d+": connect ECONNREFUSED .*\n/gm;

/** Programs that name no service find none, as on a fresh machine, unless the page shows what they recorded. */
function addressFor(block: Block): Record<string, string> {
  const isAsking = /SPOOR_URL|createReader\(/.test(block.code);
  if (!isAsking && block.shown === undefined) return {};
  const project = block.shown === undefined ? {} : { SPOOR_PROJECT: projectOf(block) };
  return { SPOOR_URL: service.url, SPOOR_API_KEY: service.apiKey, ...project };
}

async function shownOf(block: Block, isFull: boolean): Promise<string> {
  const project = projectOf(block);
  const traces = new Map<string, Call[]>();
  for await (const call of createReader({ ...service, project }).calls.query({ include_costs: true })) {
    const { trace_id } = call;
    traces.set(trace_id, [...(traces.get(trace_id) ?? []), call]);
  }
  const texts = [...traces.values()].map((calls) => {
    const trees = treesOf(calls);
    const lines = traceLines(trees, {
      project,
      isFull,
      statusOf: shownStatusesOf(trees, Date.now()),
      addressOf: () => '',
    });
    return lines.slice(lines.indexOf('') + 1).join('\n');
  });
  return `${texts.join('\n\n')}\n`;
}

/** Without what differs from run to run: ids, times, and the room that these take. */
function comparable(shown: string): string {
  return shown
    .replaceAll(/(?<=id: ).*/g, '…')
    .replaceAll(/ {2,}[\d.,–]+ (?:µs|ms|s|min)/g, '  … ms')
    .replaceAll(/(?<="first_chunk_ms":)\d+/g, '0');
}

describe('code in the pages', () => {
  test('there is some', () => {
    expect(blocks.filter(({ page }) => page === 'README.md').length).toBeGreaterThan(0);
  });

  test('compiles', async () => {
    const old = blocks.filter(hasOldDecorators);
    const others = blocks.filter((block) => block.language === 'ts' && !old.includes(block));
    expect(old.length).toBeGreaterThan(0);
    expect(await Promise.all([compile(others, {}), compile(old, { experimentalDecorators: true })])).toEqual(['', '']);
  });

  // A program of its own for each block is what takes the time; later blocks of a page may read what earlier ones wrote.
  test.concurrent.each(pages().filter((name) => blocks.some(({ page }) => page === name)))(
    '%s runs, and prints what the page says',
    async (name) => {
      for (const block of blocks.filter(({ page }) => page === name)) {
        const outcome = await outcomeOf(block);
        expect(outcome).toEqual({
          line: block.line,
          stdout: block.output ?? outcome.stdout,
          stderr: '',
          shown: block.shown && comparable(block.shown.lines),
        });
      }
    },
    240_000,
  );
});

async function outcomeOf(block: WrittenBlock) {
  const { stdout, stderr } = await run(process.execPath, commandOf(block), {
    cwd: ROOT,
    env: { ...process.env, SPOOR_HOME: home, NODE_NO_WARNINGS: '1', ...addressFor(block) },
  });
  const shown = block.shown && comparable(await shownOf(block, block.shown.isFull));
  return { line: block.line, stdout, stderr: stderr.replace(SERVICE_AWAY, ''), shown };
}

describe('links in the pages', () => {
  test('lead to files and headings that exist', () => {
    const dead = pages().flatMap((page) => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      return [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
        .map(([, target = '', heading]) => ({ page, target, heading }))
        .filter((link) => !isAlive(link));
    });
    expect(dead).toEqual([]);
  });
});

interface Link {
  readonly page: string;
  /** Empty for a heading of the same page. */
  readonly target: string;
  readonly heading: string | undefined;
}

function isAlive({ page, target, heading }: Link): boolean {
  const path = target === '' ? join(ROOT, page) : join(ROOT, dirname(page), target);
  if (!isFile(path)) return false;
  return heading === undefined || anchorsOf(readFileSync(path, 'utf8')).includes(heading);
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isFile(path: string): boolean {
  const folder = dirname(path);
  return readdirSync(folder, { encoding: 'utf8' }).includes(relative(folder, path));
}
