import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepProblem, type KeptProblem, problemFilePath, readProblems } from '../../src/spool/problem-file.ts';

let parent: string;
let home: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'problem-file-'));
  home = join(parent, 'home');
});

afterEach(() => {
  rmSync(parent, { recursive: true });
});

function problem(count: number, message = 'No'): KeptProblem {
  return {
    at: '2026-01-01T00:00:00.000Z',
    kind: 'refused',
    message,
    count,
    project: 'local/x',
    url: 'http://a',
    pid: 7,
  };
}

test('what is kept is read in its order, and only its owner can', () => {
  for (const count of [1, 2]) keepProblem(home, problem(count));
  expect(readProblems(home)).toEqual([problem(1), problem(2)]);
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect(statSync(problemFilePath(home)).mode & 0o777).toBe(0o600);
});

test('without a file there are no problems', () => {
  expect(readProblems(home)).toEqual([]);
});

test('it never grows beyond 64 KiB, and the newest stay', () => {
  for (let count = 1; count <= 1000; count++) {
    keepProblem(home, problem(count, 'é'.repeat(100)));
    expect(statSync(problemFilePath(home)).size).toBeLessThanOrEqual(64 * 1024);
  }
  const counts = readProblems(home).map(({ count }) => count);
  expect(counts.length).toBeGreaterThan(90);
  expect(counts).toEqual(Array.from({ length: counts.length }, (_, index) => 1001 - counts.length + index));
  expect(readdirSync(home)).toEqual(['problems.jsonl']);
  expect(statSync(problemFilePath(home)).mode & 0o777).toBe(0o600);
});

test('a file that somebody made large is read from its end', () => {
  mkdirSync(home);
  writeFileSync(problemFilePath(home), 'x'.repeat(1_000_000));
  keepProblem(home, problem(1));
  expect(readProblems(home)).toEqual([problem(1)]);
  expect(statSync(problemFilePath(home)).size).toBeLessThan(1000);
});

test('torn and foreign lines are left out, and take no other with them', () => {
  keepProblem(home, problem(1));
  for (const text of ['\n{"at":"2026-01-01T00:00:00.000Z","kind":"to', '\nnull', '\n{"at":"never"}']) {
    appendFileSync(problemFilePath(home), text);
  }
  appendFileSync(problemFilePath(home), `\n${JSON.stringify({ ...problem(2), at: 'yesterday' })}\n[`);
  keepProblem(home, problem(3));
  expect(readProblems(home)).toEqual([problem(1), problem(3)]);
});

test('no character that a terminal obeys is in the file, and no long text', () => {
  keepProblem(home, problem(1, `a\n\u001b]0;title\u0007\u009b31m${'x'.repeat(5000)}`));
  // oxlint-disable-next-line no-control-regex
  expect(readFileSync(problemFilePath(home), 'utf8').trim()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  expect(readProblems(home)[0]?.message).toMatch(/^a ]0;title 31mx{900,}$/);
  expect(readProblems(home)[0]?.message.length).toBeLessThanOrEqual(1000);
});

test.each([
  ['is a file', () => writeFileSync(home, '')],
  ['holds a folder of that name', () => mkdirSync(problemFilePath(home), { recursive: true })],
])('a state folder that %s keeps nothing, and nothing is thrown', (_what, make) => {
  make();
  keepProblem(home, problem(1));
  expect(readProblems(home)).toEqual([]);
});

test('processes that keep problems at once leave a file that can be read', async () => {
  const url = new URL('../../src/spool/problem-file.ts', import.meta.url).href;
  const tsx = fileURLToPath(new URL('../../node_modules/tsx/dist/cli.mjs', import.meta.url));
  const script = join(parent, 'keep.mts');
  writeFileSync(
    script,
    `import { keepProblem } from ${JSON.stringify(url)};
    const [pid] = process.argv.slice(2).map(Number);
    for (let count = 1; count <= 400; count++)
      keepProblem(${JSON.stringify(home)}, { ...${JSON.stringify(problem(0))}, count, pid });`,
  );
  const children = [1, 2, 3].map((pid) => spawn(process.execPath, [tsx, script, String(pid)], { stdio: 'inherit' }));
  expect(await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))).toEqual([0, 0, 0]);
  const kept = readProblems(home);
  expect(kept.length).toBeGreaterThan(100);
  // Each process in its order, however they alternate.
  for (const pid of [1, 2, 3]) {
    const counts = kept.filter((one) => one.pid === pid).map(({ count }) => count);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  }
  expect(readdirSync(home)).toEqual(['problems.jsonl']);
});
