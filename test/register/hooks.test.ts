import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { rangeText, TESTED_LIBRARIES, type TestedLibrary } from '../../src/protocol/process/tested-libraries.ts';
import { machinePerFile } from '../flow/machine.ts';
import { ROOT, runNode } from '../flow/service-process.ts';
import { startGoogle } from '../integrations/google-provider.ts';
import { startOpenAI } from '../integrations/openai-provider.ts';
import type { Provider } from '../integrations/provider.ts';
import { callsOf, UserProject } from './program.ts';

const CLI = join(ROOT, 'dist', 'cli', 'main.js');
const REGISTER = ['--import', 'spoor/register'];
const OP = 'openai.chat.completions.create';

const machine = machinePerFile();
let provider: Provider;

beforeEach(async () => {
  provider = await startOpenAI();
});
afterEach(() => provider.close());

function env(): NodeJS.ProcessEnv {
  return { PROVIDER: `${provider.url}/v1` };
}

const ASK = `
const client = new OpenAI({ apiKey: 'sk-test', baseURL: process.env.PROVIDER });
const ask = (own = client) => own.chat.completions.create({ model: 'plain', messages: [] });
`;

interface AskingProgram {
  readonly name: string;
  readonly exportName: string;
  readonly op: string;
  /** Makes a client, and `ask` that makes a request with it. */
  readonly ask: string;
  readonly start: () => Promise<Provider>;
}

const PROGRAMS: readonly AskingProgram[] = [
  { name: 'openai', exportName: 'OpenAI', op: OP, ask: ASK, start: startOpenAI },
  {
    name: '@google/genai',
    exportName: 'GoogleGenAI',
    op: 'google.models.generateContent',
    ask: `const client = new GoogleGenAI({ apiKey: 'AIza-test', httpOptions: { baseUrl: process.env.PROVIDER } });
      const ask = () => client.models.generateContent({ model: 'plain', contents: 'Who?' });`,
    start: startGoogle,
  },
];

const AI_SOURCE = `import { generateText } from 'ai'; import { createOpenAI } from '@ai-sdk/openai';
  const openai = createOpenAI({ apiKey: 'sk-test', baseURL: process.env.PROVIDER });
  const ask = (own = generateText) => own({ model: openai.chat('plain'), prompt: 'Who?' });`;

async function envOf({ start, name }: AskingProgram): Promise<NodeJS.ProcessEnv> {
  const own = await start();
  onTestFinished(() => own.close());
  return { PROVIDER: name === 'openai' ? `${own.url}/v1` : own.url };
}

async function opsOf(): Promise<string[]> {
  return (await callsOf(machine.service)).map(({ op_name: name }) => name);
}

async function examine(folder: string): Promise<{ findings: { level: string; about: string; message: string }[] }> {
  const { stdout } = await runNode([CLI, 'doctor', '--json'], { home: machine.home, cwd: folder });
  return JSON.parse(stdout) as Awaited<ReturnType<typeof examine>>;
}

/** A library under the name of a captured one. */
function standIn(version: string, source: string, name = 'openai'): UserProject {
  return new UserProject({
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, version, type: 'module', main: 'index.js' }),
    [`node_modules/${name}/index.js`]: source,
  });
}

test('stats tell what is captured, by which hook', async () => {
  const source = `import OpenAI from 'openai'; import { flush, stats } from 'spoor'; import { wrapOpenAI } from 'spoor/openai';
    ${ASK} await ask(wrapOpenAI(client)); await flush(); console.log(JSON.stringify(stats().captured));`;
  const project = new UserProject({ 'main.mjs': source }).link('openai');
  const { stdout, stderr } = await project.run([...REGISTER, 'main.mjs'], machine.home, env());
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
  const project = new UserProject({ 'main.mjs': source }).link('openai').addCopy('other');
  const outcome = await project.run([...REGISTER, '--import', 'other/register', 'main.mjs'], machine.home, env());
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(await opsOf()).toEqual([OP, OP]);
});

test('requests are below the traced function that makes them, in a thread of a worker too', async () => {
  const worker = `import OpenAI from 'openai'; import { flush, traced } from 'spoor'; ${ASK}
    await traced(async function inThread() { await ask(); })(); await flush();`;
  const source = `import { Worker } from 'node:worker_threads'; import { once } from 'node:events';
    await once(new Worker(new URL('./worker.mjs', import.meta.url)), 'exit');`;
  const project = new UserProject({ 'main.mjs': source, 'worker.mjs': worker }).link('openai');
  expect(await project.run([...REGISTER, 'main.mjs'], machine.home, env())).toMatchObject({ code: 0, stderr: '' });
  const calls = await callsOf(machine.service);
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
  const bare = await project.run(['main.mjs'], machine.home, env());
  expect(bare).toMatchObject({ code: 0, stderr: '' });
  expect(await project.run([...REGISTER, 'main.mjs'], machine.home, env())).toEqual(bare);
  expect((await callsOf(machine.service)).every(({ exception }) => exception?.includes('This is a 400'))).toBe(true);
});

test.each(PROGRAMS)('$name that was required before the hook is captured nevertheless', async (program) => {
  const { name, exportName, ask, op } = program;
  const source = `const { ${exportName} } = require('${name}'); ${ask} require('spoor/register'); ask();`;
  const project = new UserProject({ 'main.cjs': source }).link(name);
  const environment = { ...(await envOf(program)), NODE_NO_WARNINGS: '1' };
  expect(await project.run(['main.cjs'], machine.home, environment)).toMatchObject({ code: 0, stderr: '' });
  expect(await opsOf()).toEqual([op]);
});

test.each(PROGRAMS)(
  '$name that was imported before the hook is told, by the program and by the doctor',
  async (program) => {
    const { name, exportName, ask } = program;
    // All of these are loaded before the first of them runs.
    const source = `import 'spoor/register'; import { ${exportName} } from '${name}'; ${ask} await ask(); console.log('done');`;
    const project = new UserProject({ 'main.mjs': source }).link(name);
    const { code, stdout, stderr } = await project.run(['main.mjs'], machine.home, await envOf(program));
    expect([code, stdout]).toEqual([0, 'done\n']);
    expect(stderr).toMatch(/^spoor: Cannot capture all of "[^"]*": it was loaded before the hook.*\n$/);
    expect(stderr).toContain(`"${name}"`);
    expect(await opsOf()).toEqual([]);
    const { findings } = await examine(project.folder);
    expect(findings.find(({ about }) => about === 'last problems')?.message).toMatch(/^capture-too-early/);
  },
);

test('a version of another shape: the program runs, and the doctor names the library', async () => {
  const library = `export class OpenAI { static Chat = class {}; async ask() { return 'tracks'; } } export default OpenAI;`;
  const source = `import OpenAI from 'openai'; console.log(await new OpenAI().ask());`;
  const project = standIn('6.99.0', library).write('main.mjs', source);
  const { code, stdout, stderr } = await project.run([...REGISTER, 'main.mjs'], machine.home);
  expect([code, stdout]).toEqual([0, 'tracks\n']);
  expect(stderr).toMatch(/^spoor: Cannot capture all of "openai": 6\.99\.0 has no chat\.completions\.create, .*\n$/);
  const { findings } = await examine(project.folder);
  expect(findings.find(({ about }) => about === 'last problems')).toMatchObject({
    level: 'warning',
    message: expect.stringMatching(/^capture-changed.*"openai": 6\.99\.0 has no/) as string,
    advice: expect.stringContaining('tested') as string,
  });
});

test('two libraries with the same problem are both told, and the doctor names each', async () => {
  const project = standIn('6.99.0', 'export class OpenAI {}').write(
    'node_modules/@google/genai/package.json',
    JSON.stringify({ name: '@google/genai', version: '3.99.0', type: 'module', main: 'index.js' }),
  );
  project.write('node_modules/@google/genai/index.js', 'export class Models {}');
  project.write('main.mjs', `import 'openai'; import '@google/genai';`);
  const { code, stderr } = await project.run([...REGISTER, 'main.mjs'], machine.home);
  expect(code).toBe(0);
  const told = ['"@google/genai": 3.99.0 has no', '"openai": 6.99.0 has no'];
  expect(stderr.trim().split('\n').toSorted()).toEqual(
    told.map((text) => expect.stringContaining(`spoor: Cannot capture all of ${text}`) as string),
  );
  const { findings } = await examine(project.folder);
  const problems = findings.filter(({ about }) => about === 'last problems').map(({ message }) => message);
  expect(problems.toSorted()).toEqual([
    expect.stringMatching(/^capture-changed of @google\/genai, told once.*"@google\/genai": 3\.99\.0 has no/) as string,
    expect.stringMatching(/^capture-changed of openai, told once.*"openai": 6\.99\.0 has no/) as string,
  ]);
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
  const { code, stdout, stderr } = await project.run([...REGISTER, 'main.mjs'], machine.home);
  expect([code, stdout]).toEqual([0, library.includes('{}') && !library.includes('class') ? '0\n' : '1\n']);
  expect(stderr).toMatch(/^spoor: Cannot capture all of "openai": 6\.0\.0.*\n$/);
});

/** Under another version than it has, as the program and the doctor see it. */
function inVersion(name: TestedLibrary, version: string): UserProject {
  const project = new UserProject().copy(name, name).linkOthers();
  const path = `node_modules/${name}/package.json`;
  const packageJson = JSON.parse(readFileSync(join(project.folder, path), 'utf8')) as object;
  return project.write(path, JSON.stringify({ ...packageJson, version }));
}

test('a version that was never tested is recorded, and nothing is said of it', async () => {
  const project = inVersion('openai', '99.0.0').write('main.mjs', `import OpenAI from 'openai'; ${ASK} await ask();`);
  const outcome = await project.run([...REGISTER, 'main.mjs'], machine.home, env());
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(await opsOf()).toEqual([OP]);
});

/** What a program imports of those whose main module is not what is captured. */
const MODULES: Partial<Record<TestedLibrary, string>> = {
  '@langchain/core': '@langchain/core/callbacks/manager',
  '@modelcontextprotocol/sdk': '@modelcontextprotocol/sdk/client/index.js',
};

test.each(Object.keys(TESTED_LIBRARIES) as TestedLibrary[])(
  '%s of a version that was never tested is called so by stats and doctor, whichever way it is loaded',
  async (name) => {
    const version = `${TESTED_LIBRARIES[name].below.join('.')}.0`;
    const module = MODULES[name] ?? name;
    const source = `import '${module}'; import { createRequire } from 'node:module'; import { flush, stats, traced } from 'spoor';
    createRequire(import.meta.url)('${module}'); traced(() => 1)(); await flush(); console.log(JSON.stringify(stats().captured));`;
    const project = inVersion(name, version).write('main.mjs', source);
    const { stdout, stderr } = await project.run([...REGISTER, 'main.mjs'], machine.home);
    expect(stderr).toBe('');
    const never = `${version} was never tested; tested is ${rangeText(name)}`;
    const captured = (JSON.parse(stdout) as { library: string }[]).filter(({ library }) => library === name);
    expect(captured).toMatchObject(
      ['import', 'require'].map((hook) => ({ library: name, version, hook, state: 'untested', message: never })),
    );
    const { findings } = await examine(project.folder);
    expect(findings).toContainEqual({
      level: 'warning',
      about: 'capture',
      message: `${name} ${never.replace(';', ':')}`,
      advice: expect.stringContaining(`"${name}"`) as string,
    });
  },
);

test.each([
  ['whose members throw', `export const Models = new Proxy(class {}, { get() { throw new Error('No'); } });`],
  ['that is frozen', `export class Models { generateContentInternal() {} } Object.freeze(Models.prototype);`],
  ['of another shape', `export class Models {};`],
])('@google/genai %s is no reason to fail', async (_what, library) => {
  const source = `import { Models } from '@google/genai'; console.log(typeof Models);`;
  const project = standIn('9.0.0', library, '@google/genai').write('main.mjs', source);
  const { code, stdout, stderr } = await project.run([...REGISTER, 'main.mjs'], machine.home);
  expect([code, stdout]).toEqual([0, 'function\n']);
  expect(stderr).toMatch(/^spoor: Cannot capture all of "@google\/genai": 9\.0\.0.*\n$/);
});

test.each([
  ['import', 'openai', 'mjs', `import { OpenAI } from 'openai/client'; import * as spoor from 'spoor';`],
  ['require', 'openai', 'cjs', `const { OpenAI } = require('openai/client'); const spoor = require('spoor');`],
  ['import', 'openai-5', 'mjs', `import { OpenAI } from 'openai/client'; import * as spoor from 'spoor';`],
])('%s of a path inside %s is captured, once', async (hook, installedAs, format, imports) => {
  const main = `main.${format}`;
  const source = `${imports} ${ASK} ask().then(() => spoor.flush()).then(() => {
    console.log(JSON.stringify(spoor.stats().captured.map(({ hook, state }) => [hook, state])));
  });`;
  const project = new UserProject({ [main]: source }).copy('openai', installedAs);
  const { stdout, stderr } = await project.run([...REGISTER, main], machine.home, { ...env(), NODE_NO_WARNINGS: '1' });
  expect([stdout, stderr]).toEqual([`[["${hook}","captured"]]\n`, '']);
  expect(await opsOf()).toEqual([OP]);
});

test('two copies of the package with hooks and wrappers of "ai" record a request once', async () => {
  const source = `${AI_SOURCE} import * as ai from 'ai'; import { wrapAISDK } from 'spoor/ai-sdk'; import { wrapAISDK as again } from 'other/ai-sdk';
    await ask(); await ask(again(wrapAISDK(ai)).generateText);`;
  const project = new UserProject({ 'main.mjs': source }).link('ai').link('@ai-sdk/openai').addCopy('other');
  const outcome = await project.run([...REGISTER, '--import', 'other/register', 'main.mjs'], machine.home, env());
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(await opsOf()).toEqual(['ai.generateText', 'ai.doGenerate', 'ai.generateText', 'ai.doGenerate']);
});

test('"ai" that was loaded before the hook is told, by import and by require', async () => {
  const early = `import 'spoor/register'; ${AI_SOURCE} console.log((await ask()).text);`;
  const required = `${AI_SOURCE.replace(/import (\{ \w+ \}) from ('[^']+')/g, 'const $1 = require($2)')}
    require('spoor/register'); ask().then(({ text }) => console.log(text));`;
  const project = new UserProject({ 'main.mjs': early, 'main.cjs': required }).link('ai').link('@ai-sdk/openai');
  for (const main of ['main.mjs', 'main.cjs']) {
    const { code, stdout, stderr } = await project.run([main], machine.home, { ...env(), NODE_NO_WARNINGS: '1' });
    expect([code, stdout]).toEqual([0, 'Hi there, tracker\n']);
    expect(stderr).toMatch(/^spoor: Cannot capture all of "ai": it was loaded before the hook.*\n$/);
  }
});

test.each([
  ['whose members throw', `export const generateText = new Proxy(() => {}, { get() { throw new Error('No'); } });`],
  ['that exports nothing', 'export {};'],
  ['of another shape', `export class ToolLoopAgent {}; export const generateText = () => 'tracks';`],
])('"ai" %s is no reason to fail', async (_what, library) => {
  const source = `import * as all from 'ai'; console.log(typeof all);`;
  const project = standIn('9.0.0', library, 'ai').write('main.mjs', source);
  const { code, stdout, stderr } = await project.run([...REGISTER, 'main.mjs'], machine.home);
  expect([code, stdout]).toEqual([0, 'object\n']);
  expect(stderr).toMatch(/^spoor: Cannot capture all of "ai": 9\.0\.0.*\n$/);
});

test('the package alone loads nothing of this', async () => {
  const source = `import 'spoor'; import { createRequire } from 'node:module';
    console.log(Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('in-the-middle')).length);`;
  const project = new UserProject({ 'main.mjs': source });
  expect(await project.run(['main.mjs'], machine.home)).toMatchObject({ stdout: '0\n', stderr: '' });
});
