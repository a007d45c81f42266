import { execFile, execSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import { buildOnce } from './build.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DEMO = join(ROOT, 'examples', 'docs-qa', 'main.ts');

let home: string;

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'spoor-demo-test-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function runDemo(...args: string[]) {
  return runDemoBy(['--import', 'tsx', DEMO, ...args]);
}

function runDemoBy(args: string[]) {
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...env } = process.env;
  return run(process.execPath, args, {
    cwd: ROOT,
    env: { ...env, SPOOR_HOME: home, NO_COLOR: '1' },
  });
}

/** The tree that the README shows. */
function pictureInReadme(): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return /^```text\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? 'no picture';
}

/** Times and tokens differ from run to run, and with them the width of their columns. */
function withoutNumbers(tree: string): string {
  return tree
    .replaceAll(/[\d.,]+ m?s\b/g, 'TIME')
    .replaceAll(/[\d.,]+ tok\b/g, 'TOKENS')
    .replaceAll(/ {2,}/g, ' ');
}

/** In no order: the conversations are held at once. */
function treesIn(stdout: string): string[] {
  const trees = stdout.match(/^[✓!✗] .*\n(?:[├│└].*\n)*/gm) ?? [];
  return trees.map((tree) => withoutNumbers(tree.replaceAll(/[\d.]+–(?=[\d.]+ m?s)/g, ''))).sort();
}

describe('examples/docs-qa', () => {
  test('answers, loses no call, and ends by itself', { timeout: 120_000 }, async () => {
    const { stdout, stderr } = await runDemo();
    expect(stderr).toBe('');
    const lines = stdout.trim().split('\n');
    expect(lines.at(-1)).toBe('Nothing of it is kept. To look at it: npm run demo -- --keep');
    expect(lines.at(-2)).toMatch(/^demo: \d+ calls in 5 traces, 0 lost, read back from http:\/\/127\.0\.0\.1:\d+$/);
    expect(stdout).toContain('small local server');
    expect(stdout).toMatch(/newcomer: Where do records wait [^\n]*\?\n +\S.* \[\d\]/);
    expect(stdout).toContain('MissingCitationError');
    expect(withoutNumbers(stdout)).toContain(withoutNumbers(pictureInReadme()));
    for (const op of ['buildLibrary', 'splitPage', 'search', 'open_page', 'openai.chat.completions.create', 'verify'])
      expect(stdout).toContain(op);
  });

  test('gives the same trees under `spoor run` without the wrapper of its model', { timeout: 120_000 }, async () => {
    const command = ['run', '--', process.execPath, '--import', 'tsx', DEMO, '--unwrapped'];
    const [wrapped, recorded] = [await runDemo(), await runDemoBy([join(ROOT, 'dist', 'cli', 'bin.cjs'), ...command])];
    expect(recorded.stdout.trim().split('\n').at(-2)).toMatch(/^demo: \d+ calls in 5 traces, 0 lost, /);
    expect(treesIn(wrapped.stdout)).toHaveLength(5);
    expect(treesIn(recorded.stdout)).toEqual(treesIn(wrapped.stdout));
  });

  test(
    '--keep leaves the service running, and its last lines show what was recorded',
    { timeout: 120_000 },
    async () => {
      const { stdout } = await runDemo('--keep');
      const [, url = '', rest = ''] = /keeps running at (\S+)\. Next, in this folder:\n([^]*)/.exec(stdout) ?? [];
      const lines = rest.trim().split('\n');
      const pid = /^ {2}kill (\d+)$/.exec(lines.pop() ?? '')?.[1];
      try {
        expect((await fetch(`${url}/version`)).status).toBe(401);
        const said = lines.map((line) =>
          execSync(line, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, CI: '1' } }),
        );
        expect(said[0]).toContain('Assistant.reply');
        expect(said[1]).toMatch(/^Assistant\.reply · /);
        expect(said[2]).toContain(`${url}/ui/login#token=`);
      } finally {
        process.kill(Number(pid), 'SIGTERM');
      }
    },
  );
});
