import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { CONTENTS } from '../../../src/cli/definitions/contents.ts';
import { READING } from '../../../src/cli/definitions/reading.ts';
import { CLI, environmentOf, makeHome, ROOT, runNode } from '../../flow/service-process.ts';
import { useMemoryService } from '../commands/memory-service.ts';

// Commands that read are one file, whose compiled code is kept in the state folder.

async function runShell(command: string, home: string): Promise<{ stdout: string; stderr: string }> {
  return await promisify(execFile)('bash', ['-c', command], { env: environmentOf(home) });
}

const memoryService = useMemoryService((reader) =>
  reader.calls.start({ id: 'c1', trace_id: 't1', op_name: 'first', started_at: '2026-01-01T00:00:00Z' }),
);

const folder = () => join(memoryService().home, 'cache');
const kept = () =>
  join(folder(), readdirSync(folder()).find((name) => name.startsWith(`ls-${process.version}-`)) ?? 'none');

/** What `spoor ls` prints, which is right in any case. */
async function list(): Promise<string> {
  const { code, stdout, stderr } = await memoryService().run('ls');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('first');
  return stdout;
}

beforeEach(list, 120_000);

test('is written once, for its owner only, and read from then on', async () => {
  const before = [readFileSync(kept()), statSync(kept()).mtimeMs];
  expect(readdirSync(folder()).length).toBe(1);
  expect([statSync(folder()).mode & 0o777, statSync(kept()).mode & 0o777]).toEqual([0o700, 0o600]);
  await list();
  expect([readFileSync(kept()), statSync(kept()).mtimeMs]).toEqual(before);
});

describe('is as good as none, and written again', () => {
  const whole = () => readFileSync(kept());
  test.each<[string, () => void]>([
    ['when it is empty', () => writeFileSync(kept(), '')],
    ['when it was cut', () => writeFileSync(kept(), whole().subarray(0, 1000))],
    ...[0, 20, 5000].map((place): [string, () => void] => [
      `when byte ${place} is another`,
      () => {
        const bytes = whole();
        bytes[place] = (bytes[place] ?? 0) ^ 1;
        writeFileSync(kept(), bytes);
      },
    ]),
    ['when others could write it', () => chmodSync(kept(), 0o666)],
  ])('%s', async (_name, harm) => {
    harm();
    const harmed = [statSync(kept()).mtimeMs, statSync(kept()).ino];
    await list();
    const mended = [statSync(kept()).mtimeMs, statSync(kept()).ino];
    expect(mended).not.toEqual(harmed);
    expect(statSync(kept()).mode & 0o777).toBe(0o600);
    await list();
    expect([statSync(kept()).mtimeMs, statSync(kept()).ino]).toEqual(mended);
  });

  test('when the engine compiles otherwise', async () => {
    const { home } = memoryService();
    const written = [statSync(kept()).ino];
    const run = await runNode(['--no-lazy', CLI, 'ls', '--project', 'acme/demo'], { home, env: {} });
    expect(run.stdout).toContain('first');
    written.push(statSync(kept()).ino);
    await list();
    written.push(statSync(kept()).ino);
    expect(written[1]).not.toBe(written[0]);
    expect(written[2]).not.toBe(written[1]);
  });
});

test('neither help nor a failure is kept', async () => {
  await memoryService().run('threads', '--help');
  await memoryService().run('threads', '--limit', 'x');
  expect(readdirSync(folder()).filter((name) => name.startsWith('threads'))).toEqual([]);
  await memoryService().run('threads');
  expect(readdirSync(folder()).filter((name) => name.startsWith('threads')).length).toBe(1);
});

test('what has not been written for long is removed when something is', async () => {
  const old = join(folder(), 'ls-v20.0.0-x64-0');
  writeFileSync(old, '');
  utimesSync(old, 1, 1);
  writeFileSync(kept(), '');
  await list();
  expect(readdirSync(folder())).not.toContain('ls-v20.0.0-x64-0');
});

// A command that has done what it should succeeds.
test.each<[string, (home: string) => string]>([
  ['is a file', (home) => (writeFileSync(join(home, 'cache'), ''), home)],
  ['cannot be written', (home) => (mkdirSync(join(home, 'cache'), { mode: 0o500 }), home)],
  ['cannot be there', () => '/proc/self'],
  ['is in a file', () => '/dev/null'],
])('a folder for it that %s keeps nobody from reading', { timeout: 30_000 }, async (_name, placeIn) => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const { service } = memoryService();
  const args = ['ls', '--url', service.url, '--key', service.apiKey, '--project', 'acme/demo'];
  const run = await runNode([CLI, ...args], { home: placeIn(home), env: {} });
  expect([run.code, run.stderr, run.stdout.includes('first')]).toEqual([0, '', true]);
});

test.each(['stats', 'objects'])('a value "%s" of an option of "serve" is no command', async (value) => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const run = await runNode([CLI, '--host', '192.0.2.1', '--data', join(home, value)], { home, env: {} });
  expect(run.stderr).toContain('Cannot listen on 192.0.2.1');
  const named = await runNode([CLI, '--storage', value], { home, env: {} });
  expect(named.stderr).toContain(`'${value}' is invalid`);
});

test('a reader of the version that has gone is no failure', async () => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const shell = await runShell(`"${process.execPath}" "${CLI}" --version | true; echo "\${PIPESTATUS[0]}"`, home);
  expect(shell).toEqual({ stdout: '0\n', stderr: '' });
});

test('no state folder is made for it', async () => {
  const { home, remove } = makeHome();
  remove();
  const { code } = await runNode([CLI, 'ls', '--url', 'http://127.0.0.1:1', '--key', 'k'], { home, env: {} });
  expect(code).toBe(1);
  expect(statSync(home, { throwIfNoEntry: false })).toBeUndefined();
});

/** Runs the file by itself. */
const READ = [
  '-e',
  'const [, path] = process.argv; require("node:vm").runInThisContext(require("node:fs").readFileSync(path, "utf8"))(require, path)',
  join(ROOT, 'dist/cli/reading.cjs'),
];

test('each command that reads is in the file, and no other', async () => {
  const { home } = memoryService();
  for (const name of Object.keys({ ...READING, ...CONTENTS })) {
    const { code, stdout } = await runNode([...READ, name, '--help'], { home, env: {} });
    expect({ name, code, usage: stdout.split('\n')[0] }).toEqual({
      name,
      code: 0,
      usage: expect.stringContaining(name) as string,
    });
  }
  const { stderr } = await runNode([...READ, 'doctor'], { home, env: {} });
  expect(stderr).toContain('another file');
});

test.each([
  ['--verbose', 'ls'],
  ['ls', '--verbose'],
])('"spoor %s %s" is run from it, too', async (...args) => {
  expect((await memoryService().run(...args)).stdout).toContain('first');
});

test('the former name of the program is good', async () => {
  const { home } = memoryService();
  const run = await runNode([join(ROOT, 'dist/cli/main.js'), 'ls', '--project', 'acme/demo'], { home, env: {} });
  expect([run.code, run.stdout.includes('first')]).toEqual([0, true]);
});

test('the file needs no package', () => {
  const text = readFileSync(join(ROOT, 'dist/cli/reading.cjs'), 'utf8');
  const required = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name);
  expect(required.length).toBeGreaterThan(5);
  expect(required.filter((name) => !name.startsWith('node:'))).toEqual([]);
});
