import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { makeHome, ROOT, runNode, type ServiceProcess, startServiceProcess } from '../flow/service-process.ts';
import { startOpenAI } from '../integrations/openai-provider.ts';
import type { Provider } from '../integrations/provider.ts';
import { callsOf, UserProject } from './program.ts';

const CLI = join(ROOT, 'dist', 'cli', 'main.js');
const REGISTER = ['--import', 'spoor/register'];
const HOOK_PACKAGES = ['es-module-lexer', 'import-in-the-middle', 'picomatch', 'require-in-the-middle'];
const OP = 'openai.chat.completions.create';

let home: string;
let removeHome: () => void;
let service: ServiceProcess;
let provider: Provider;

beforeAll(buildOnce, 120_000);
beforeEach(async () => {
  ({ home, remove: removeHome } = makeHome());
  [service, provider] = await Promise.all([startServiceProcess(home), startOpenAI()]);
});
afterEach(async () => {
  await Promise.all([service.stop(), provider.close()]);
  removeHome();
});

function env(): NodeJS.ProcessEnv {
  return { PROVIDER: `${provider.url}/v1` };
}

const ASK = `
const client = new OpenAI({ apiKey: 'sk-test', baseURL: process.env.PROVIDER });
const ask = (own = client) => own.chat.completions.create({ model: 'plain', messages: [] });
`;

async function opsOf(): Promise<string[]> {
  return (await callsOf(service)).map(({ op_name: name }) => name);
}

async function examine(folder: string): Promise<{ findings: { level: string; about: string; message: string }[] }> {
  const { stdout } = await runNode([CLI, 'doctor', '--json'], { home, cwd: folder });
  return JSON.parse(stdout) as Awaited<ReturnType<typeof examine>>;
}

/** A library under the name of a captured one. */
function standIn(version: string, source: string): UserProject {
  return new UserProject({
    'node_modules/openai/package.json': JSON.stringify({ name: 'openai', version, type: 'module', main: 'index.js' }),
    'node_modules/openai/index.js': source,
  });
}

test('stats tell what is captured, by which hook', async () => {
  const source = `import OpenAI from 'openai'; import { flush, stats } from 'spoor'; import { wrapOpenAI } from 'spoor/openai';
    ${ASK} await ask(wrapOpenAI(client)); await flush(); console.log(JSON.stringify(stats().captured));`;
  const project = new UserProject({ 'main.mjs': source }).link('openai');
  const { stdout, stderr } = await project.run([...REGISTER, 'main.mjs'], home, env());
  expect(stderr).toBe('');
  const captured = JSON.parse(stdout) as Record<string, unknown>[];
  expect(captured).toMatchObject([
    { library: 'openai', version: '6.49.0', hook: 'import', state: 'captured' },
    { library: 'openai', version: '6.49.0', hook: 'wrap', state: 'captured' },
  ]);
  expect(captured[0]?.['ops']).toContain(OP);
  expect(await opsOf()).toEqual([OP]);
  const { findings } = await examine(project.folder);
  expect(findings.filter(({ about }) => about === 'capture')).toEqual([
    { level: 'ok', about: 'capture', message: 'openai 6.49.0 is recorded under --import spoor/register' },
  ]);
});

test('two copies of the package with both hooks and both wrappers record a request once', async () => {
  const source = `import OpenAI from 'openai'; import { wrapOpenAI } from 'spoor/openai'; import { wrapOpenAI as again } from 'other/openai';
    ${ASK} await ask(again(wrapOpenAI(client))); for await (const chunk of await again(wrapOpenAI(new OpenAI(client)))
      .chat.completions.create({ model: 'plain', messages: [], stream: true })) chunk.id;`;
  const project = new UserProject({ 'main.mjs': source }).link('openai');
  const other = join(project.folder, 'node_modules', 'other');
  for (const part of ['dist', 'package.json']) cpSync(join(ROOT, part), join(other, part), { recursive: true });
  for (const name of ['@opentelemetry/api', 'p-queue', 'undici', ...HOOK_PACKAGES]) project.link(name);
  const outcome = await project.run([...REGISTER, '--import', 'other/register', 'main.mjs'], home, env());
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(await opsOf()).toEqual([OP, OP]);
});

test('requests are below the traced function that makes them, in a thread of a worker too', async () => {
  const worker = `import OpenAI from 'openai'; import { flush, traced } from 'spoor'; ${ASK}
    await traced(async function inThread() { await ask(); })(); await flush();`;
  const source = `import { Worker } from 'node:worker_threads'; import { once } from 'node:events';
    await once(new Worker(new URL('./worker.mjs', import.meta.url)), 'exit');`;
  const project = new UserProject({ 'main.mjs': source, 'worker.mjs': worker }).link('openai');
  expect(await project.run([...REGISTER, 'main.mjs'], home, env())).toMatchObject({ code: 0, stderr: '' });
  const calls = await callsOf(service);
  const parent = calls.find(({ op_name: name }) => name.includes('inThread'));
  expect(calls.find(({ op_name: name }) => name === OP)?.parent_id).toBe(parent?.id);
});

test.each([
  ['is a rejection that nobody handles', 'ask();'],
  ['is a rejection of the promise that was made of it', 'ask().then(() => {}); '],
  ['is handled by whoever handles it', 'ask().catch(() => {}); ask().finally(() => {}).catch(() => {});'],
  [
    'is handled where the response is wanted',
    'ask().asResponse().catch(() => {}); ask().withResponse().catch(() => {});',
  ],
])('a request that fails %s', async (_what, code) => {
  const source = `import OpenAI from 'openai'; ${ASK.replace("'plain'", "'status-400'")}
    let count = 0; process.on('unhandledRejection', () => { count += 1; }); process.on('exit', () => console.log(count));
    ${code}`;
  const project = new UserProject({ 'main.mjs': source }).link('openai');
  const bare = await project.run(['main.mjs'], home, env());
  expect(bare).toMatchObject({ code: 0, stderr: '' });
  expect(await project.run([...REGISTER, 'main.mjs'], home, env())).toEqual(bare);
  expect((await callsOf(service)).every(({ exception }) => exception?.includes('This is a 400'))).toBe(true);
});

test('a library that was required before the hook is captured nevertheless', async () => {
  const source = `const OpenAI = require('openai'); ${ASK} require('spoor/register'); ask();`;
  const project = new UserProject({ 'main.cjs': source }).link('openai');
  expect(await project.run(['main.cjs'], home, { ...env(), NODE_NO_WARNINGS: '1' })).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(await opsOf()).toEqual([OP]);
});

test('a module that was imported before the hook is told, by the program and by the doctor', async () => {
  // All of these are loaded before the first of them runs.
  const source = `import 'spoor/register'; import OpenAI from 'openai'; ${ASK} console.log((await ask()).id);`;
  const project = new UserProject({ 'main.mjs': source }).link('openai');
  const { code, stdout, stderr } = await project.run(['main.mjs'], home, env());
  expect([code, stdout]).toEqual([0, 'chatcmpl-1\n']);
  expect(stderr).toMatch(/^spoor: Cannot capture all of "openai": it was loaded before the hook.*\n$/);
  expect(await opsOf()).toEqual([]);
  const { findings } = await examine(project.folder);
  expect(findings.find(({ about }) => about === 'last problems')?.message).toMatch(/^capture-too-early.*"openai"/);
});

test('a version of another shape: the program runs, and the doctor names the library', async () => {
  const library = `export class OpenAI { static Chat = class {}; async ask() { return 'tracks'; } } export default OpenAI;`;
  const source = `import OpenAI from 'openai'; console.log(await new OpenAI().ask());`;
  const project = standIn('6.99.0', library).write('main.mjs', source);
  const { code, stdout, stderr } = await project.run([...REGISTER, 'main.mjs'], home);
  expect([code, stdout]).toEqual([0, 'tracks\n']);
  expect(stderr).toMatch(/^spoor: Cannot capture all of "openai": 6\.99\.0 has no chat\.completions\.create, .*\n$/);
  const { findings } = await examine(project.folder);
  expect(findings.find(({ about }) => about === 'last problems')).toMatchObject({
    level: 'warning',
    message: expect.stringMatching(/^capture-changed.*"openai": 6\.99\.0 has no/) as string,
    advice: expect.stringContaining('tested') as string,
  });
});

test.each([
  ['whose members throw', `export const OpenAI = new Proxy(class {}, { get() { throw new Error('No'); } });`],
  ['that exports nothing', 'export {};'],
  [
    'that is frozen',
    `export class OpenAI { static Chat = Object.freeze({ Completions: Object.freeze(class { create() {} }) }); }`,
  ],
])('a library %s is no reason to fail', async (_what, library) => {
  const source = `import * as all from 'openai'; console.log(Object.keys(all).length);`;
  const project = standIn('6.0.0', library).write('main.mjs', source);
  const { code, stdout, stderr } = await project.run([...REGISTER, 'main.mjs'], home);
  expect([code, stdout]).toEqual([0, library.includes('{}') && !library.includes('class') ? '0\n' : '1\n']);
  expect(stderr).toMatch(/^spoor: Cannot capture all of "openai": 6\.0\.0.*\n$/);
});

test('a version that was never tested is recorded, and said so by stats and doctor only', async () => {
  const project = new UserProject().copy('openai', 'openai');
  const source = `import OpenAI from 'openai'; import { flush, stats } from 'spoor'; ${ASK} await ask(); await flush();
    console.log(stats().captured[0].state);`;
  project.write('main.mjs', source).write(
    'node_modules/openai/package.json',
    JSON.stringify({
      name: 'openai',
      version: '99.0.0',
      main: 'index.js',
      exports: { '.': { require: './index.js', default: './index.mjs' } },
    }),
  );
  expect(await project.run([...REGISTER, 'main.mjs'], home, env())).toMatchObject({ stdout: 'untested\n', stderr: '' });
  expect(await opsOf()).toEqual([OP]);
  const { findings } = await examine(project.folder);
  expect(findings.find(({ about }) => about === 'capture')).toMatchObject({
    level: 'warning',
    message: 'openai 99.0.0 was never tested: tested is 5.0 up to, and without, 7.0',
  });
});

test('the package alone loads nothing of this', async () => {
  const source = `import 'spoor'; import { createRequire } from 'node:module';
    console.log(Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('in-the-middle')).length);`;
  const project = new UserProject({ 'main.mjs': source });
  expect(await project.run(['main.mjs'], home)).toMatchObject({ stdout: '0\n', stderr: '' });
});
