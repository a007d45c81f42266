import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitOfBuild, gitCommitOf, processAttributes } from '../../src/tracing/process-attributes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spoor-git-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(at: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd: at, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function commit(at: string): string {
  git(at, 'commit', '--allow-empty', '-qm', 'x');
  return git(at, 'rev-parse', 'HEAD');
}

test('the commit is read from a branch, from below, detached and packed', () => {
  git(folder, 'init', '-q');
  const first = commit(folder);
  const second = commit(folder);
  mkdirSync(join(folder, 'a', 'b'), { recursive: true });
  expect(gitCommitOf(folder)).toBe(second);
  expect(gitCommitOf(join(folder, 'a', 'b'))).toBe(second);
  git(folder, 'pack-refs', '--all');
  expect(gitCommitOf(folder)).toBe(second);
  git(folder, 'checkout', '-q', first);
  expect(gitCommitOf(folder)).toBe(first);
});

test('the commit is read from a linked work tree', () => {
  const main = join(folder, 'main');
  mkdirSync(main);
  git(main, 'init', '-q');
  commit(main);
  git(main, 'worktree', 'add', '-q', '-b', 'side', join(folder, 'side'));
  const side = commit(join(folder, 'side'));
  expect(gitCommitOf(join(folder, 'side'))).toBe(side);
  expect(gitCommitOf(main)).not.toBe(side);
});

test('a repository that is damaged or empty has no commit', () => {
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  expect(gitCommitOf(folder)).toBeUndefined();
  writeFileSync(join(folder, '.git', 'HEAD'), 'nonsense');
  expect(gitCommitOf(folder)).toBeUndefined();
});

test('without a repository the platform that built the program may know the commit', () => {
  const sha = '0123456789abcdef0123456789abcdef01234567';
  expect(commitOfBuild({ GIT_COMMIT: 'main', VERCEL_GIT_COMMIT_SHA: sha })).toBe(sha);
  expect(commitOfBuild({ GITHUB_SHA: '' })).toBeUndefined();
});

test('the process tells versions and names, and the same object every time', () => {
  expect(processAttributes()).toMatchObject({
    client_version: expect.any(String),
    source: 'js-sdk',
    os_version: expect.any(String),
    host: expect.any(String),
    sys_version: `node ${process.versions.node}`,
    package: expect.stringMatching(/^spoor@/),
  });
  expect(processAttributes()).toBe(processAttributes());
});
