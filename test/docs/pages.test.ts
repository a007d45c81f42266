import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
}

function pages(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return ['README.md', ...docs.filter((file) => file.endsWith('.md')).map((file) => join('docs', file))];
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(ts|js)\n([\s\S]*?)^```/gm)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length;
    const [, language = '', code = ''] = match;
    const name = page.replaceAll(/[/.]/g, '-');
    return { page, line, language, code, file: join(BLOCKS, `${name}-${line}.${language === 'ts' ? 'ts' : 'mjs'}`) };
  });
}

const blocks = pages().flatMap(blocksOf);

beforeAll(async () => {
  await buildOnce();
  mkdirSync(BLOCKS, { recursive: true });
  for (const { file, code } of blocks) writeFileSync(file, `${code}\nexport {};\n`);
}, 120_000);

afterAll(() => {
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

  test.each(blocks)('$page line $line runs', async ({ file }) => {
    const { stderr } = await run(process.execPath, ['--import', 'tsx', file], {
      cwd: ROOT,
      env: { ...process.env, SPOOR_HOME: home, NODE_NO_WARNINGS: '1' },
    });
    expect(stderr).toBe('');
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
