import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeHome, runNode } from '../flow/service-process.ts';
import { UserProject } from './program.ts';

/* A program that was started for being recorded, and of which nothing was, is told so in one line; no other one is. */

const NOTHING = /^spoor: nothing was recorded[^\n]*\n$/;

let home: string;

beforeEach(() => {
  const made = makeHome();
  onTestFinished(made.remove);
  home = made.home;
});

async function run(
  source: string,
  flags: readonly string[] = ['--import', 'spoor/register'],
  env: NodeJS.ProcessEnv = {},
) {
  const project = new UserProject({ 'app.mjs': source, 'package.json': '{"name":"app"}' });
  for (const name of [
    'openai',
    '@opentelemetry/api',
    'p-queue',
    'es-module-lexer',
    'import-in-the-middle',
    'require-in-the-middle',
    'picomatch',
  ]) {
    project.link(name);
  }
  return await runNode([...flags, 'app.mjs'], { home, cwd: project.folder, env });
}

describe('a program without a call', () => {
  test('of which no library was loaded is told what to do', async () => {
    const { code, stdout, stderr } = await run("console.log('done')");
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' });
    expect(stderr).toMatch(NOTHING);
    expect(stderr).toContain('no library that is captured was loaded; wrap functions with traced()');
  });

  test('that loaded a library is told which one', async () => {
    const { stderr } = await run("import 'openai';");
    expect(stderr).toMatch(NOTHING);
    expect(stderr).toContain('though openai was loaded');
  });

  test.each(['process.exit(3)', "throw new Error('mine')"])('keeps its end: %s', async (end) => {
    const { code, stderr } = await run(end);
    expect(code).toBe(end.includes('3') ? 3 : 1);
    expect(stderr).toContain('nothing was recorded');
  });

  test.each([
    ['is switched off', ['--import', 'spoor/register'], { SPOOR_DISABLED: '1' }],
    ['was not started for it', [], {}],
    ['got the option from around it', [], { NODE_OPTIONS: '--import spoor/register' }],
  ])('that %s is told nothing', async (_, flags, env) => {
    expect((await run('', flags, env)).stderr).toBe('');
  });
});

test('a program that starts a thread is told nothing, as that may have recorded', async () => {
  expect((await run("import { Worker } from 'node:worker_threads'; new Worker('1', { eval: true });")).stderr).toBe('');
});

test('of a program and what it starts only the program is told, and of itself', async () => {
  const source = "import { fork } from 'node:child_process'; if (process.send === undefined) fork('app.mjs');";
  const { stderr } = await run(source);
  expect(stderr).toMatch(NOTHING);
  expect(stderr).toContain('nothing was recorded in this process: ');
});

test.each([
  ['with a call', "import { traced } from 'spoor'; traced(function one() {}, { op: false })();"],
  [
    'that has shut down',
    "import { traced, shutdown } from 'spoor'; traced(function one() {}, { op: false })(); await shutdown();",
  ],
  ['that records nothing by itself', "import { init } from 'spoor'; init({ enabled: false });"],
])('a program %s is told nothing', async (_, source) => {
  expect((await run(source)).stderr).toBe('');
});
