import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { buildOnce } from '../build.ts';
import { makeHome, ROOT, runCli, runNode } from '../flow/service-process.ts';

beforeAll(buildOnce, 120_000);

function freshHome(): string {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  return home;
}

test.each([
  [['nonsense'], "Unknown command 'nonsense'"],
  [['treads'], `Unknown command 'treads'. Did you mean "threads"?`],
  [['list', '--json'], `Unknown command 'list'. Did you mean "ls"?`],
  [['help', 'shw'], `Unknown command 'shw'. Did you mean "show"?`],
  [['--prot', '1'], "Unknown option '--prot' (Did you mean --port?)"],
  [['serve', 'x'], "Too many arguments for 'serve'. Expected 0 arguments but got 1."],
  [['serve', '--port'], "Option '--port <port>' argument missing"],
  [['serve', '--port', 'x'], "Option '--port <port>' argument 'x' is invalid. It is not a port, 0 to 65535."],
  [['serve', '--port', '65536'], "Option '--port <port>' argument '65536' is invalid."],
  [['serve', '--storage', 'paper'], "argument 'paper' is invalid. Allowed choices are sqlite, memory, clickhouse."],
  [['ls', '--limit', '0'], 'It is not a whole number above 0.'],
  [['ls', '--limit', '1.5'], 'It is not a whole number above 0.'],
  [['ls', '--since', 'yesterday'], 'It is neither a time span as 30m, 2h, 7d nor a date-time.'],
  [['ls', '--status', 'fine'], 'Allowed choices are running, success, error, descendant_error.'],
  [['ls', '--url', 'nowhere', '--key', 'k'], 'The address "nowhere" is not a URL of http or https'],
  [['ls', '--url', 'ftp://127.0.0.1', '--key', 'k'], 'The address "ftp://127.0.0.1" is not a URL of http or https'],
  [['help', 'nonsense'], "Unknown command 'nonsense'"],
  [['help', 'keys', 'creat'], `Unknown command 'creat'. Did you mean "create"?`],
  [['help', 'ls', 'nonsense'], "Unknown command 'nonsense'"],
  [['show', ''], 'The id is empty'],
  [['keys', 'create', 'ci', '--entities', 'acme,../x'], '"../x" is not the name of an entity.'],
  [['ls', '--url', 'http://127.0.0.1:1', '--key', 'k', '--project', 'a/b/c'], 'The project "a/b/c" is not of the form'],
  [['object'], "Missing required argument 'name'"],
  [['search'], "Missing required argument 'text'"],
  [['show', 'a', 'b'], "Too many arguments for 'show'."],
  [['show', 'svc:///a/b/object/c:d'], 'The reference is of kind object; want one of a call'],
  [['show', 'svc:///a'], 'Cannot read reference "svc:///a": a part is missing'],
  [['keys'], 'Missing command: one of create, list, revoke'],
  [['keys', 'lend'], "Unknown command 'lend'"],
  [['keys', 'lst'], `Unknown command 'lst'. Did you mean "list"?`],
  [['keys', 'create', 'me', '--entities', 'a,,b'], 'A name in the list is empty.'],
])('spoor %j explains in one line and exits 2', async (args, sentence) => {
  const { code, stdout, stderr } = await runCli(freshHome(), ...args);
  expect(stderr).toContain(sentence);
  expect(stderr).toMatch(/^spoor: [^\n]+\n$/);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('a wrong variable is a wrong argument', async () => {
  const { code, stderr } = await runNode([join(ROOT, 'dist/cli/bin.cjs')], {
    home: freshHome(),
    env: { SPOOR_PORT: 'x' },
  });
  expect(stderr).toContain("value 'x' from env 'SPOOR_PORT' is invalid");
  expect(code).toBe(2);
});

test('an empty variable says nothing', async () => {
  const { code, stderr } = await runNode([join(ROOT, 'dist/cli/bin.cjs'), 'serve', '--host', '192.0.2.1'], {
    home: freshHome(),
    env: { SPOOR_PORT: '', SPOOR_STORAGE: '', SPOOR_API_KEY: '' },
  });
  expect(stderr).toContain('Cannot listen on 192.0.2.1:7717');
  expect(code).toBe(1);
});

test.each([
  ['--help'],
  ['help'],
  ['ls', '--help'],
  ['help', 'ls'],
  ['keys', 'create', '--help'],
  ['help', 'keys', 'create'],
  ['--verbose', 'help', 'keys', 'create'],
  ['--verbose', 'help', 'keys', 'create'],
])('spoor %s %s prints help and exits 0', async (...args) => {
  const { code, stdout, stderr } = await runCli(freshHome(), ...args.filter((arg) => arg !== undefined));
  expect(stdout).toMatch(/^Usage: spoor /);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('help has examples, whose commands and options there are', () => {
  const program = createProgram();
  const examples = program.commands.flatMap((command) => [
    ...helpOf(command).matchAll(/^ {2}(spoor .+?)(?: {2,}|$)/gm),
  ]);
  expect(examples.length).toBeGreaterThan(15);
  for (const [, line = ''] of examples) {
    const [, name, ...words] = line.split(' ');
    const named = program.commands.find((command) => command.name() === name);
    const flags = words.filter((word) => word.startsWith('-') && word !== '--' && !word.startsWith('-r'));
    const known = named?.options.flatMap(({ long, short }) => [long, short]) ?? [];
    expect({ line, unknown: flags.filter((flag) => !known.includes(flag)) }).toEqual({ line, unknown: [] });
  }
});

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) }).outputHelp();
  return text.slice(Math.max(0, text.indexOf('Examples:')));
}

test('--version prints the version', async () => {
  expect(await runCli(freshHome(), '--version')).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' });
});

test('a failure is one line and exit code 1, and --verbose adds the cause', async () => {
  const args = ['ls', '--url', 'http://127.0.0.1:1', '--key', 'k', '--project', 'acme/demo'];
  const short = await runCli(freshHome(), ...args);
  expect(short.code).toBe(1);
  expect(short.stderr).toMatch(/^spoor: Cannot reach http:\/\/127\.0\.0\.1:1\/calls\/stream_query: [^\n]+\n$/);
  const long = await runCli(freshHome(), ...args, '--verbose');
  expect(long.stderr).toContain('[cause]');
});

test('without the optional packages one line says what to install', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-bare-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const { code, stderr } = await runNode([join(folder, 'dist/cli/bin.cjs'), 'doctor'], { home: folder });
  expect(stderr).toBe(
    'spoor: The package "commander" is not installed. The command line and the service need the optional dependencies: run "npm install --include=optional spoor"\n',
  );
  expect(code).toBe(1);
});
