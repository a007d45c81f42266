import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer, type SpoorServer } from 'spoor/server';
import { buildOnce } from '../build.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// Inside the package, so that `spoor` means this package as it does for a user.
const BLOCKS = join(ROOT, 'test', 'docs', '.blocks');
const home = mkdtempSync(join(tmpdir(), 'spoor-docs-'));

interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
  readonly file: string;
  /** What it prints, where the page shows it right below. */
  readonly output: string | undefined;
}

function pages(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return ['README.md', ...docs.filter((file) => file.endsWith('.md')).map((file) => join('docs', file))];
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(ts|js)\n([\s\S]*?)^```(?:\n\n```text\n([\s\S]*?)^```)?/gm)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length;
    const [, language = '', code = '', output] = match;
    const name = page.replaceAll(/[/.]/g, '-');
    const file = join(BLOCKS, `${name}-${line}.${language === 'ts' ? 'ts' : 'mjs'}`);
    return { page, line, language, code, file, output };
  });
}

const blocks = pages().flatMap(blocksOf);
let service: SpoorServer;

beforeAll(async () => {
  await buildOnce();
  service = await createServer({ storage: 'memory', port: 0, logLevel: 'silent' });
  mkdirSync(BLOCKS, { recursive: true });
  for (const { file, code } of blocks) writeFileSync(file, `${code}\nexport {};\n`);
}, 120_000);

afterAll(async () => {
  await service.close();
  rmSync(BLOCKS, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
});

describe('code in the pages', () => {
  test('there is some', () => {
    expect(blocks.filter(({ page }) => page === 'README.md').length).toBeGreaterThan(0);
  });

  test('compiles', async () => {
    const config = { extends: '../../../tsconfig.json', include: ['*.ts'], compilerOptions: { customConditions: [] } };
    writeFileSync(join(BLOCKS, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', BLOCKS], { cwd: ROOT }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  test.each(blocks)('$page line $line runs, and prints what the page says', async ({ file, code, output }) => {
    // Programs that name no service find none, as on a fresh machine.
    const address = code.includes('SPOOR_URL') && { SPOOR_URL: service.url, SPOOR_API_KEY: service.apiKey };
    const { stdout, stderr } = await run(process.execPath, ['--import', 'tsx', file], {
      cwd: ROOT,
      env: { ...process.env, SPOOR_HOME: home, NODE_NO_WARNINGS: '1', ...address },
    });
    expect({ stdout, stderr }).toEqual({ stdout: output ?? stdout, stderr: '' });
  });
});

describe('links in the pages', () => {
  test('lead to files that exist', () => {
    const dead = pages().flatMap((page) => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      return [...text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => ({ page, target }))
        .filter(({ target }) => !isFile(join(ROOT, dirname(page), target)));
    });
    expect(dead).toEqual([]);
  });
});

function isFile(path: string): boolean {
  const folder = dirname(path);
  return readdirSync(folder, { encoding: 'utf8' }).includes(relative(folder, path));
}
