import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitOfBuild, gitCommitOf, processAttributes } from '../../src/tracing/record/process-attributes.ts';

const SOURCE = (path: string) => new URL(`../../src/${path}`, import.meta.url).href;
const LOADER = new URL('../load-typescript.js', import.meta.url).href;

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
    pid: process.pid,
    sys_version: `node ${process.versions.node}`,
    package: expect.stringMatching(/^spoor@/),
  });
  expect(processAttributes()).toBe(processAttributes());
});

test('a program whose folder was removed is recorded, without package and commit', () => {
  const program = `
    import { traced } from ${JSON.stringify(SOURCE('tracing/wrap/traced.ts'))};
    import { setTracer } from ${JSON.stringify(SOURCE('tracing/record/tracer.ts'))};
    import { defaultProject } from ${JSON.stringify(SOURCE('client/project-name.ts'))};
    import { rmdirSync } from 'node:fs';
    // Node remembers the folder until it is changed.
    process.chdir(process.argv[2]);
    rmdirSync(process.argv[2]);
    const sink = { writeCall: (record) => record.start && console.log(record.start.attributes.svc.package ?? 'none'),
      writeObject() {}, writeTable() {}, writeFile() {} };
    setTracer({ projectId: 'a/b', sink });
    traced(() => defaultProject())();
    console.log(defaultProject().slice(0, 6));`;
  const removed = join(folder, 'removed');
  mkdirSync(removed);
  writeFileSync(join(folder, 'program.mjs'), program);
  const args = ['--import', LOADER, '--conditions=spoor-source', join(folder, 'program.mjs'), removed];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
  expect(output.split('\n')).toEqual(['none', 'local/', '']);
});
