import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CONTENTS } from '../../../src/cli/definitions/contents.ts';
import { READING } from '../../../src/cli/definitions/reading.ts';
import { CLI, makeHome, ROOT, runNode } from '../../flow/service-process.ts';
import { useMemoryService } from '../commands/memory-service.ts';

// Commands that read are one file, whose compiled code is kept in the state folder.

const memoryService = useMemoryService((reader) =>
  reader.calls.start({ id: 'c1', trace_id: 't1', op_name: 'first', started_at: '2026-01-01T00:00:00Z' }),
);

const folder = () => join(memoryService().home, 'cache');
const kept = () => join(folder(), `commands-${process.version}-${process.arch}`);

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
  expect(readdirSync(folder())).toEqual([`commands-${process.version}-${process.arch}`]);
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
    const run = await runNode(['--no-lazy', CLI, 'ls', '--project', 'acme/demo'], { home, env: {} });
    expect(run.stdout).toContain('first');
    await list();
  });
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
