import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createReader } from '../../../src/reader/reader.ts';
import { buildOnce } from '../../build.ts';
import { projectOfTest } from '../../flow/machine.ts';
import {
  environmentOf,
  makeHome,
  ROOT,
  runCli,
  type ServiceProcess,
  startServiceProcess,
} from '../../flow/service-process.ts';
import { startOpenAI } from '../../integrations/openai-provider.ts';
import { callsOf, UserProject } from '../../register/program.ts';

const CLI = join(ROOT, 'dist', 'cli', 'main.js');
const OP = 'openai.chat.completions.create';

let home: string;

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  const made = makeHome();
  home = made.home;
  onTestFinished(made.remove);
});

async function startService(): Promise<ServiceProcess> {
  const service = await startServiceProcess(home);
  onTestFinished(async () => void (await service.stop()));
  return service;
}

interface Run {
  readonly child: ChildProcess;
  /** The next line that the program prints. */
  line(): Promise<unknown>;
  readonly ended: Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>;
}

/** `spoor run -- …` in the folder of the program. */
function start(project: UserProject, command: readonly string[], env: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(process.execPath, [CLI, 'run', '--', ...command], {
    cwd: project.folder,
    env: { ...environmentOf(home), SPOOR_PORT: '0', SPOOR_PROJECT: projectOfTest(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  }
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({
    code: code as number | null,
    signal: signal as string | null,
    ...texts,
  }));
  return { child, ended, line: async () => (await lines.next()).value };
}

async function askingProject(): Promise<{ project: UserProject; env: NodeJS.ProcessEnv }> {
  const provider = await startOpenAI();
  onTestFinished(() => provider.close());
  const source = `import OpenAI from 'openai';
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: process.env.PROVIDER });
    const { id } = await client.chat.completions.create({ model: 'plain', messages: [] });
    console.log(id, process.argv.slice(2).join(' '));
    process.exitCode = 7;`;
  return {
    project: new UserProject({ 'app.mjs': source }).link('openai'),
    env: { PROVIDER: `${provider.url}/v1` },
  };
}

test('a program is recorded beside a service of its own, which ends with it', async () => {
  const { project, env } = await askingProject();
  const { stdout, stderr, code } = await start(project, ['node', 'app.mjs', '--deep', '-x'], env).ended;
  expect([stdout, code]).toEqual(['chatcmpl-1 --deep -x\n', 7]);
  expect(stderr).toMatch(
    /^spoor: recording to http:\/\/127\.0\.0\.1:\d+\nspoor: 1 call in 1 trace — start "npx spoor", then npx spoor show \w{8}\n$/,
  );
  expect(existsSync(join(home, 'server.json'))).toBe(false);
  const calls = await callsOf(await startService());
  expect(calls.map(({ op_name: name, ended_at: endedAt }) => [name, endedAt !== null])).toEqual([[OP, true]]);
});

test('a service that runs is used, and goes on', async () => {
  const service = await startService();
  const { project, env } = await askingProject();
  const { code, stderr } = await start(project, ['node', 'app.mjs'], env).ended;
  expect(code).toBe(7);
  const [first, second, ...rest] = stderr.split('\n');
  expect([first, rest]).toEqual([`spoor: recording to ${service.url}`, ['']]);
  const [, id = ''] = /^spoor: 1 call in 1 trace — spoor show (\w{8})$/.exec(second ?? '') ?? [];
  expect((await runCli(home, 'show', id)).stdout).toContain(OP);
  expect((await callsOf(service)).length).toBe(1);
});

test('a service that is named is used', async () => {
  const service = await startServiceProcess(makeOther());
  onTestFinished(async () => void (await service.stop()));
  const { project, env } = await askingProject();
  const named = { SPOOR_URL: service.url, SPOOR_API_KEY: service.apiKey };
  expect((await start(project, ['node', 'app.mjs'], { ...env, ...named }).ended).code).toBe(7);
  expect((await callsOf(service)).length).toBe(1);
});

function makeOther(): string {
  const other = makeHome();
  onTestFinished(other.remove);
  return other.home;
}

test('what the environment says to Node is kept', async () => {
  const project = new UserProject({
    'before.mjs': 'globalThis.wasBefore = true;',
    'app.mjs': 'console.log(globalThis.wasBefore);',
  });
  const { stdout } = await start(project, ['node', 'app.mjs'], { NODE_OPTIONS: '--import ./before.mjs' }).ended;
  expect(stdout).toBe('true\n');
});

test('without a service the program runs all the same', async () => {
  writeFileSync(join(home, 'file'), '');
  const { project, env } = await askingProject();
  const { code, stderr } = await start(project, ['node', 'app.mjs'], { ...env, SPOOR_DATA: join(home, 'file') }).ended;
  expect(code).toBe(7);
  expect(stderr).toMatch(/^spoor: no service: .*; what is recorded waits on disk\n$/);
});

test('a service that cannot be announced does not outlive the program', async () => {
  mkdirSync(join(home, 'server.json'));
  const { code, stderr } = await start(new UserProject(), ['sh', '-c', 'exit 7']).ended;
  expect(code).toBe(7);
  expect(stderr).toMatch(/^spoor: no service: .*; what is recorded waits on disk\n$/);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s is for the program, which decides', async (signal) => {
  const source = `process.on('${signal}', () => process.exit(3)); console.log('ready'); setInterval(() => {}, 1000);`;
  const run = start(new UserProject({ 'app.mjs': source }), ['node', 'app.mjs']);
  expect(await run.line()).toBe('ready');
  run.child.kill(signal);
  expect(await run.ended).toMatchObject({ code: 3, signal: null });
});

test.each(['SIGTERM', 'SIGINT'] as const)('a program that %s ends, ends it by the same signal', async (signal) => {
  const run = start(new UserProject({ 'app.mjs': `console.log('ready'); setInterval(() => {}, 1000);` }), [
    'node',
    'app.mjs',
  ]);
  expect(await run.line()).toBe('ready');
  run.child.kill(signal);
  expect(await run.ended).toMatchObject({ code: null, signal });
  expect(existsSync(join(home, 'server.json'))).toBe(false);
});

test('a program that kills itself', async () => {
  const run = start(new UserProject({ 'app.mjs': `process.kill(process.pid, 'SIGKILL');` }), ['node', 'app.mjs']);
  expect(await run.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
});

test('a program that SIGUSR1 ends: no debugger listens because of it', async () => {
  const run = start(new UserProject(), ['sh', '-c', 'kill -USR1 $$']);
  const { code, stderr } = await run.ended;
  expect(code).toBe(128 + constants.signals.SIGUSR1);
  expect(stderr).toMatch(
    /^spoor: recording to \S+\nspoor: no Node started with it, so nothing was recorded: [^\n]+\n$/,
  );
});

test('calls of all processes of a run are counted, and of no other', async () => {
  const service = await startService();
  const source = `import { traced } from 'spoor';
    import { spawnSync } from 'node:child_process';
    const fail = traced(function fail() { throw new Error('no'); });
    const work = traced(function work() { try { fail(); } catch { /* The program lives with it. */ } });
    for (let n = 0; n < 2; n++) work();
    if (!process.argv[2]) spawnSync(process.execPath, [process.argv[1], 'again'], { stdio: 'inherit' });`;
  const project = new UserProject({ 'app.mjs': source });
  const before = await start(project, ['node', 'app.mjs', 'once']).ended;
  expect(before.stderr).toContain('spoor: 4 calls in 2 traces, 2 failed — spoor show ');
  const { stderr } = await start(project, ['node', 'app.mjs']).ended;
  expect(stderr).toContain('spoor: 8 calls in 4 traces, 4 failed — spoor show ');
  expect(service.stderr).toBe('');
});

test('a run that recorded nothing says so, with what could have been recorded', async () => {
  await startService();
  const nothing = await start(new UserProject({ 'app.mjs': '' }), ['node', 'app.mjs']).ended;
  expect(nothing.stderr).toContain(
    'spoor: nothing was recorded: no library that is captured was loaded; wrap functions',
  );
  const failed = await start(new UserProject({ 'app.mjs': 'process.exit(3)' }), ['node', 'app.mjs']).ended;
  expect(failed.stderr).toContain('spoor: nothing was recorded: the command failed with exit code 3');
  const loading = new UserProject({ 'app.mjs': `await import('openai');` }).link('openai');
  const { stderr } = await start(loading, ['node', 'app.mjs']).ended;
  expect(stderr).toMatch(/spoor: nothing was recorded, though openai( \(\w+\))? was loaded: it was not called/);
});

/** Runs a command in a terminal of its own; what is written to its input is typed there. */
const SCRIPT = '/usr/bin/script';
const CTRL_C = '\u0003';
/** A signal that comes while the same one waits is not counted, so one would prove nothing. */
const INTERRUPTS = 5;

test.skipIf(!existsSync(SCRIPT)).each(['', 'echo input | '])(
  'what a terminal sends to the program itself is not sent to it again: "%sspoor run"',
  async (before) => {
    const source = `let count = 0;
      process.on('SIGINT', () => {
        console.log('interrupt ' + ++count);
        // Those that are sent twice come by then.
        if (count === ${INTERRUPTS}) setTimeout(() => process.exit(), 500);
      });
      console.log('ready');
      setTimeout(() => process.exit(), 20_000);`;
    const { folder } = new UserProject({ 'app.mjs': source });
    // Paths may have quotes and dollars.
    const child = spawn(SCRIPT, ['-qec', `${before}"$NODE" "$CLI" run -- node app.mjs`, '/dev/null'], {
      cwd: folder,
      env: { ...environmentOf(home), SPOOR_PORT: '0', NODE: process.execPath, CLI },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let screen = '';
    for await (const line of createInterface({ input: child.stdout })) {
      screen += `${line}\n`;
      const count = Number(/interrupt (\d+)/.exec(line)?.[1] ?? 0);
      if (line.includes('ready') || (count > 0 && count < INTERRUPTS)) child.stdin.write(CTRL_C);
    }
    expect(screen.match(/interrupt \d+/g)).toHaveLength(INTERRUPTS);
  },
);

test('what is kept is no matter of one run', async () => {
  await start(new UserProject(), ['node', '-e', ''], { SPOOR_RETAIN_DAYS: '1' }).ended;
  const { url, apiKey } = await startService();
  const { page } = createReader({ url, apiKey, retries: 0 });
  expect(await page.retention()).toEqual({ all: { days: null, bytes: null }, projects: {} });
});

test('a program that is not there is said as a shell says it', async () => {
  // A folder of the path that its user may not enter would be the reason instead.
  const env = { PATH: dirname(process.execPath) };
  const { code, stderr } = await start(new UserProject(), ['no-such-program-anywhere'], env).ended;
  expect(code).toBe(127);
  expect(stderr).toContain('spoor: cannot run "no-such-program-anywhere": there is no such program\n');
});

test('programs that the program starts are recorded, too', async () => {
  const { project, env } = await askingProject();
  project.write(
    'main.mjs',
    `import { spawnSync } from 'node:child_process';
    process.exitCode = spawnSync('node', ['app.mjs'], { stdio: 'inherit' }).status;`,
  );
  expect(await start(project, ['node', 'main.mjs'], env).ended).toMatchObject({ code: 7, stdout: 'chatcmpl-1 \n' });
  expect((await callsOf(await startService())).map(({ op_name: name }) => name)).toEqual([OP]);
});

test('wrong use is one line', async () => {
  const child = spawn(process.execPath, [CLI, 'run'], { env: environmentOf(home), stdio: ['ignore', 'pipe', 'pipe'] });
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(2);
});
