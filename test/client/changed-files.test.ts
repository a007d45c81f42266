import childProcess, { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { areFilesChanged as areFilesChangedWithin } from '../../src/client/changed-files.ts';
import { commitAll, makeRepository } from '../git-repository.ts';

afterEach(() => void vi.unstubAllEnvs());

/** However slow the machine is. */
const areFilesChanged = (folder: string) => areFilesChangedWithin(folder, 60_000);

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'spoor-changed-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a work tree is changed when a file is that git knows', async () => {
  const folder = makeRepository(makeFolder());
  expect(await areFilesChanged(folder)).toBe(false);
  writeFileSync(join(folder, 'new.js'), '');
  expect(await areFilesChanged(folder)).toBe(false);
  writeFileSync(join(folder, 'main.js'), 'changed');
  expect(await areFilesChanged(folder)).toBe(true);
  mkdirSync(join(folder, 'inner'));
  expect(await areFilesChanged(join(folder, 'inner'))).toBe(true);
  commitAll(folder);
  expect(await areFilesChanged(folder)).toBe(false);
  execFileSync('git', ['rm', '-q', 'main.js'], { cwd: folder });
  expect(await areFilesChanged(folder)).toBe(true);
});

test.each(['git', 'what it writes'])('however often %s fails, nothing is thrown', async (failing) => {
  const folder = makeRepository(makeFolder());
  const spawn = vi.spyOn(childProcess, 'spawn');
  onTestFinished(() => spawn.mockRestore());
  const areChanged = areFilesChanged(folder);
  const child = spawn.mock.results[0]?.value as childProcess.ChildProcess;
  const emitter = failing === 'git' ? child : child.stdout;
  // As it does where the process may not be ended.
  vi.spyOn(child, 'kill').mockImplementation(() => !child.emit('error', new Error('EPERM')));
  for (const message of ['first', 'second']) emitter?.emit('error', new Error(message));
  expect(await areChanged).toBeUndefined();
});

test('outside of a repository nothing is known', async () => {
  expect(await areFilesChanged(makeFolder())).toBeUndefined();
});

test('without git nothing is known', async () => {
  const folder = makeRepository(makeFolder());
  vi.stubEnv('PATH', makeFolder());
  expect(await areFilesChanged(folder)).toBeUndefined();
});

test('a git that takes too long says nothing', async () => {
  const folder = makeRepository(makeFolder());
  const slow = makeFolder();
  writeFileSync(join(slow, 'git'), '#!/bin/sh\nexec /bin/sleep 30\n');
  chmodSync(join(slow, 'git'), 0o755);
  vi.stubEnv('PATH', slow);
  expect(await areFilesChangedWithin(folder, 20)).toBeUndefined();
});

/** A program that leaves a trace when it is started. */
function makeProgram(): { readonly path: string; readonly wasStarted: () => boolean } {
  const tools = makeFolder();
  const [path, trace] = [join(tools, 'program'), join(tools, 'was-started')];
  writeFileSync(path, `#!/bin/sh\ntouch ${trace}\ncat\n`);
  chmodSync(path, 0o755);
  return { path, wasStarted: () => existsSync(trace) };
}

function git(folder: string, ...args: string[]): void {
  execFileSync('git', args, { cwd: folder });
}

test('no monitor is started that a repository names', async () => {
  const folder = makeRepository(makeFolder());
  const { path, wasStarted } = makeProgram();
  git(folder, 'config', 'core.fsmonitor', path);
  expect(await areFilesChanged(folder)).toBe(false);
  expect(wasStarted()).toBe(false);
});

test.each(['clean', 'process'])('no %s filter is started that a repository names', async (kind) => {
  const folder = makeRepository(makeFolder());
  const { path, wasStarted } = makeProgram();
  git(folder, 'config', `filter.theirs.${kind}`, path);
  writeFileSync(join(folder, '.gitattributes'), '*.js filter=theirs\n');
  writeFileSync(join(folder, 'main.js'), 'other');
  expect(await areFilesChanged(folder)).toBeUndefined();
  expect(wasStarted()).toBe(false);
});

test('no filter is started that a file names which the settings of a repository include', async () => {
  const folder = makeRepository(makeFolder());
  const { path, wasStarted } = makeProgram();
  const settings = join(makeFolder(), 'settings');
  writeFileSync(settings, `[filter "theirs"]\n\tclean = ${path}\n`);
  git(folder, 'config', 'include.path', settings);
  writeFileSync(join(folder, '.gitattributes'), '*.js filter=theirs\n');
  writeFileSync(join(folder, 'main.js'), 'other');
  expect(await areFilesChanged(folder)).toBeUndefined();
  expect(wasStarted()).toBe(false);
});

test('no filter is started of a bare repository that is a folder of the work tree', async () => {
  const folder = makeRepository(makeFolder());
  const { path, wasStarted } = makeProgram();
  const bare = join(folder, 'sub');
  git(folder, 'clone', '-q', '--bare', folder, bare);
  mkdirSync(join(bare, 'wt'));
  git(bare, 'config', 'core.bare', 'false');
  git(bare, 'config', 'core.worktree', join(bare, 'wt'));
  git(bare, 'config', 'filter.theirs.clean', path);
  git(join(bare, 'wt'), `--git-dir=${bare}`, 'reset', '-q', '--hard');
  writeFileSync(join(bare, 'wt', '.gitattributes'), '*.js filter=theirs\n');
  writeFileSync(join(bare, 'wt', 'main.js'), 'other');
  expect(await areFilesChanged(bare)).toBe(false);
  expect(wasStarted()).toBe(false);
});

test('no filter is started of a repository further out, where one further in is none to git', async () => {
  const folder = makeRepository(makeFolder());
  const { path, wasStarted } = makeProgram();
  git(folder, 'config', 'filter.theirs.clean', path);
  writeFileSync(join(folder, '.gitattributes'), '*.js filter=theirs\n');
  writeFileSync(join(folder, 'main.js'), 'other');
  const inner = join(folder, 'inner', '.git');
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(inner, 'HEAD'), '0'.repeat(40));
  expect(await areFilesChanged(join(folder, 'inner'))).toBeUndefined();
  for (const name of ['objects', 'refs']) mkdirSync(join(inner, name));
  writeFileSync(join(inner, 'HEAD'), 'no ref and no commit');
  expect(await areFilesChanged(join(folder, 'inner'))).toBeUndefined();
  expect(wasStarted()).toBe(false);
});

test.each([
  ['remote.origin.promisor', 'true'],
  ['extensions.partialClone', 'origin'],
  ['core.worktree', '/'],
])('a repository with the setting %s is not asked', async (name, value) => {
  const folder = makeRepository(makeFolder());
  git(folder, 'config', name, value);
  expect(await areFilesChanged(folder)).toBeUndefined();
});

test('filters of the user are not started either', async () => {
  const folder = makeRepository(makeFolder());
  const { path, wasStarted } = makeProgram();
  const home = makeFolder();
  writeFileSync(join(home, '.gitconfig'), `[filter "theirs"]\n\tclean = ${path}\n`);
  vi.stubEnv('HOME', home);
  writeFileSync(join(folder, '.gitattributes'), '*.js filter=theirs\n');
  writeFileSync(join(folder, 'main.js'), 'other');
  expect(await areFilesChanged(folder)).toBe(true);
  expect(wasStarted()).toBe(false);
});

test('no git is started that is in the working folder', async () => {
  const folder = makeRepository(makeFolder());
  const { path, wasStarted } = makeProgram();
  renameSync(path, join(folder, 'git'));
  vi.stubEnv('PATH', `.${delimiter}${process.env['PATH']}`);
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  expect(await areFilesChanged(folder)).toBe(false);
  expect(wasStarted()).toBe(false);
});

test('what a hook of git is told of another index or work tree is not meant', async () => {
  const folder = makeRepository(makeFolder());
  mkdirSync(join(folder, 'inner'));
  const other = makeRepository(makeFolder());
  writeFileSync(join(other, 'main.js'), 'changed');
  vi.stubEnv('GIT_DIR', join(other, '.git'));
  vi.stubEnv('GIT_INDEX_FILE', join(other, 'no-index'));
  expect(await areFilesChanged(join(folder, 'inner'))).toBe(false);
});

test('Deno is not asked for a right that it would ask somebody for', async () => {
  const folder = makeRepository(makeFolder());
  const asked: unknown[] = [];
  const stub = (state: string) => {
    vi.stubGlobal('Deno', { permissions: { querySync: (wanted: unknown) => (asked.push(wanted), { state }) } });
  };
  onTestFinished(() => void vi.unstubAllGlobals());
  stub('prompt');
  expect(await areFilesChanged(folder)).toBeUndefined();
  stub('granted');
  expect(await areFilesChanged(folder)).toBe(false);
  expect(asked).toEqual([
    { name: 'run', command: 'git' },
    { name: 'run', command: 'git' },
  ]);
});
