import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { displayWidth, toPlainText } from '../../src/cli/output/plain-text.ts';
import { createProgram } from '../../src/cli/program.ts';
import { createReader } from '../../src/reader/reader.ts';
import { buildOnce } from '../build.ts';
import {
  CLI,
  type Finished,
  makeHome,
  runNode,
  type ServiceProcess,
  startServiceProcess,
} from '../flow/service-process.ts';
import { seedProcesses } from '../page/seed-processes.ts';
import { fillTerminalProject, PROJECT } from './terminal-seed.ts';

const made = makeHome();
const home = join(made.home, 'state');
const fresh = join(made.home, 'fresh');
const file = (name: string) => join(made.home, name);

interface Case {
  readonly args: readonly string[];
  /** What is printed is somebody's text or for programs, and stands as it is. */
  readonly isVerbatim?: true;
  /** Why it runs at no service that refuses it. */
  readonly needsNoService?: string;
  /** Why it is not run where it succeeds. */
  readonly neverEnds?: string;
}

/** What every command is run with, those too that are added later: a command without an entry fails. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  serve: [{ args: [], needsNoService: 'it starts one' }],
  run: [
    { args: ['--', process.execPath, '-e', '0'], needsNoService: 'it starts one' },
    { args: ['--', 'no-such-program-of-this-name'], needsNoService: 'it starts one' },
  ],
  open: [{ args: ['--print'] }],
  doctor: [{ args: [], needsNoService: 'it says so among the rest' }],
  drain: [{ args: [], needsNoService: 'where nothing waits nothing is sent' }],
  ls: [{ args: [] }, { args: ['--limit', '3', '-f', 'status:error'] }],
  show: [
    { args: [] },
    { args: ['0190a00000227000'] },
    { args: ['--full'] },
    { args: ['--for-agent'], isVerbatim: true },
    { args: ['--html', file('trace.html')] },
  ],
  diff: [
    { args: [] },
    { args: ['0190a00000227000', '0190a00000217000'] },
    { args: ['0190a00000227000', '--all', '--code'] },
  ],
  runs: [{ args: [] }, { args: ['--op', 'answer_ticket'] }],
  search: [{ args: ['refund'] }],
  stats: [{ args: [] }, { args: ['--by', 'op'] }, { args: ['--by', 'attributes.tenant'] }],
  why: [{ args: ['-f', 'status:error'] }, { args: ['-f', 'op:answer', '--against', 'op:search*', '--limit', '3'] }],
  tail: [{ args: [], neverEnds: 'a signal ends it' }],
  'views list': [{ args: [] }],
  'views save': [{ args: ['a view of a name that is so long that it has no room in a terminal of sixty columns'] }],
  'views delete': [{ args: ['a view of a name that is so long that it has no room in a terminal of sixty columns'] }],
  projects: [{ args: [] }],
  threads: [{ args: [] }],
  objects: [{ args: [] }, { args: ['--ops'] }],
  object: [{ args: ['op'], isVerbatim: true }, { args: [`prompt-${'of-a-long-name-'.repeat(5)}`, '--versions'] }],
  feedback: [{ args: [] }],
  clients: [{ args: [] }],
  'keys create': [{ args: ['the build server of the department for long names of things'], needsNoService: 'a file' }],
  'keys list': [{ args: [], needsNoService: 'a file' }],
  'keys revoke': [{ args: ['no-such-key-in-this-data-folder-or-anywhere-else-at-all'], needsNoService: 'a file' }],
  backup: [{ args: [file('backup.spoor'), '--force'], needsNoService: 'a file' }],
  restore: [{ args: [file('no-such-backup.spoor')], needsNoService: 'a file' }],
  check: [{ args: [], needsNoService: 'a file' }],
  export: [{ args: [file('all.jsonl'), '--force'] }],
  import: [{ args: [file('all.jsonl')] }],
  completion: [{ args: ['bash'], isVerbatim: true, needsNoService: 'it knows no service' }],
};

const WIDTHS = [60, 80, 200];
const COMMANDS = leavesOf(createProgram()).map((name) => ({ name, cases: CASES[name] ?? [] }));

let service: ServiceProcess | undefined;

beforeAll(async () => {
  await buildOnce();
  service = await startServiceProcess(home);
  const reader = createReader({ url: service.url, apiKey: service.apiKey, project: PROJECT });
  await fillTerminalProject(reader, service);
  // Before all others: the newest trace is one of those.
  await seedProcesses({ url: service.url, apiKey: service.apiKey, project: PROJECT }, Date.UTC(2025, 0, 1));
}, 120_000);

afterAll(async () => {
  await service?.stop();
  made.remove();
});

/** Names of commands that have none below them. */
function leavesOf(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  return command.commands.flatMap((below) => leavesOf(below, [...path, below.name()]));
}

/** As at a terminal of so many columns. */
function atTerminal(columns: number, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const terminal = { isTTY: { value: true }, columns: { value: columns } };
  const script = `for (const s of [process.stdout, process.stderr]) Object.defineProperties(s, ${JSON.stringify(terminal)});`;
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
  return runNode([...flags, CLI, ...args], { home, cwd: made.home, env: { SPOOR_PROJECT: PROJECT, CI: '1', ...env } });
}

/** Lines wider than the terminal that could have been broken: behind what leads them are several words. */
function tooWide(text: string, columns: number): string[] {
  // What takes long on a slow machine tells how far it is, again and again in the same line.
  return text
    .split('\u001b[1G')
    .flatMap((part) => part.split('\n'))
    .filter((line) => displayWidth(toPlainText(line)) > columns && /\S\s+\S/.test(line.replace(/^\W+/, '')));
}

test('each command has a case', () => {
  expect(COMMANDS.filter(({ cases }) => cases.length === 0)).toEqual([]);
});

test.each(WIDTHS)('at %i columns no line is wider than the terminal', { timeout: 600_000 }, async (columns) => {
  for (const { name, cases } of COMMANDS) {
    for (const { args } of cases.filter(({ neverEnds }) => neverEnds === undefined)) {
      const { stdout, stderr } = await atTerminal(columns, [...name.split(' '), ...args]);
      const isVerbatim = cases.some((each) => each.args === args && each.isVerbatim);
      expect({ name, args, wide: isVerbatim ? [] : tooWide(stdout, columns) }).toEqual({ name, args, wide: [] });
      expect({ name, args, wide: tooWide(stderr, columns) }).toEqual({ name, args, wide: [] });
      expect({ name, said: `${stdout}${stderr}` !== '' }).toEqual({ name, said: true });
    }
  }
});

/** What `--help` prints at a terminal of so many columns; in this process, as there are many of them. */
async function helpOf(columns: number, words: readonly string[]): Promise<string> {
  vi.spyOn(process, 'stdout', 'get').mockReturnValue({ isTTY: true, columns } as typeof process.stdout);
  onTestFinished(() => void vi.restoreAllMocks());
  const program = createProgram();
  let printed = '';
  const writeOut = (text: string) => {
    printed += text;
  };
  for (const command of withAllBelow(program)) command.configureOutput({ writeOut });
  const shown = program.parseAsync([...words, '--help'], { from: 'user' });
  await expect(shown).rejects.toMatchObject({ code: 'commander.helpDisplayed' });
  return printed;
}

function withAllBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withAllBelow)];
}

test.each(WIDTHS)('at %i columns help is no wider', async (columns) => {
  for (const name of ['', ...COMMANDS.map((command) => command.name)]) {
    const text = await helpOf(
      columns,
      name.split(' ').filter((part) => part !== ''),
    );
    // A line that is typed stays whole.
    const wide = tooWide(text, columns).filter((line) => !line.startsWith('  spoor '));
    expect({ name, wide, isHelp: text.startsWith('Usage: spoor') }).toEqual({ name, wide: [], isHelp: true });
  }
});

test.each(['', 'show', 'keys create'])('help of a process is the same: spoor %s', async (name) => {
  const words = name === '' ? [] : name.split(' ');
  expect((await atTerminal(60, [...words, '--help'])).stdout).toBe(await helpOf(60, words));
});

test.each([
  ['without a service', { SPOOR_HOME: fresh }],
  ['with a wrong key', { SPOOR_API_KEY: 'wrong' }],
])('%s each command fails with one sentence', { timeout: 600_000 }, async (_where, env) => {
  for (const { name, cases } of COMMANDS) {
    const first = cases.find(({ needsNoService }) => needsNoService === undefined);
    if (first === undefined) continue;
    const { code, stdout, stderr } = await atTerminal(60, [...name.split(' '), ...first.args], env);
    expect({ name, code, stdout }).toEqual({ name, code: 1, stdout: '' });
    // At a terminal a sentence goes on in the next line.
    expect(stderr).toMatch(/^spoor: \S[^\n]*(\n {2}\S[^\n]*)*\n$/);
    expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b| at .*:\d+:\d+/);
    expect(tooWide(stderr, 60)).toEqual([]);
  }
});

test.each([
  ['export', ['/no/such/folder/all.jsonl'], 'there is no folder "/no/such/folder"'],
  ['import', ['/no/such/archive.jsonl'], 'Cannot open "/no/such/archive.jsonl": there is no such file or folder'],
  ['backup', ['/no/such/folder/data.spoor'], 'there is no folder "/no/such/folder"'],
  ['restore', ['/no/such/backup.spoor'], 'There is no file "/no/such/backup.spoor"'],
  ['run', ['--', 'no-such-program'], 'cannot run "no-such-program": there is no such program'],
])('what the system refuses is told in words: spoor %s %j', async (name, args, sentence) => {
  const { code, stderr } = await runNode([CLI, name, ...args], { home });
  expect(stderr).toContain(sentence);
  expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b/);
  expect(code).not.toBe(0);
});
