import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { nodeOfVersion } from '../node-version.ts';
import { UserProject } from '../register/program.ts';
import { makeHome, ROOT } from './service-process.ts';

// Programs on a Node that is too old run as they would without this package, and say so in a line.

let home: string;
let remove: () => void;

beforeAll(buildOnce, 120_000);
beforeEach(() => void ({ home, remove } = makeHome()));
afterEach(() => remove());

/** What the package exports to programs that record, and how it is built. */
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, Record<string, string> | string>;
};
const ENTRIES = Object.entries(exports).flatMap(([name, target]) =>
  typeof target === 'object' && target['require'] !== undefined ? [name.replace('.', 'spoor')] : [],
);

const BODY = `
  class Shop {
    constructor() { this.buy = traced(this.buy.bind(this)); }
    buy(n) { if (n < 0) throw new RangeError('no'); return n * 2; }
  }
  const later = traced(async function later(n) { return n + 1; });
  const parts = traced(function* parts() { yield 1; yield 2; });
  const say = (value) => console.log(JSON.stringify(value));
  (async () => {
    init({ project: 'local/old', enabled: true });
    let error;
    try { new Shop().buy(-1); } catch (caught) { error = caught.name; }
    say([new Shop().buy(2), error, await later(1), [...parts()], parts.name]);
    say([trace('t', (call) => call.isRecording), withThread('a', () => 1), withContext({ user: 'u' }, () => 2)]);
    const call = startCall('by hand');
    call.set({ a: 1 }); call.end(1);
    current().usage('m', { input: 1 });
    say([typeof String(publish({ a: 1 }, 'value')), inject({ a: 'b' }), extract({}, () => 3), previewMask({ password: 'x' })]);
    say([new Dataset({ name: 'd', rows: [{ n: 1 }] }) !== undefined, await flush(), await shutdown()]);
  })();`;
const NAMES =
  'init, traced, trace, startCall, current, withContext, withThread, publish, Dataset, inject, extract, flush, shutdown, previewMask';

/** Tells which names globals have that they did not have before. Twice, as some are made when they are first looked at. */
const GLOBALS = `
  const valueOf = (holder, name) => { try { return holder[name]; } catch { return undefined; } };
  const namesOf = (path, value) => Object(value) === value ? Object.getOwnPropertyNames(value).map((name) => path + '.' + name) : [];
  const names = () => Object.getOwnPropertyNames(globalThis).flatMap((name) => {
    const value = valueOf(globalThis, name);
    return [name, ...namesOf(name, value), ...namesOf(name + '.prototype', Object(value) === value && valueOf(value, 'prototype'))];
  });
  names();
  const before = new Set(names());
  const tell = () => console.log(JSON.stringify(names().filter((name) => !before.has(name))));
`;

const OUTPUT = [
  [4, 'RangeError', 2, [1, 2], 'parts'],
  [false, 1, 2],
  ['string', { a: 'b' }, 3, { password: '[masked]' }],
  [true, { sent: 0, spooled: 0, dropped: 0 }, { sent: 0, spooled: 0, dropped: 0 }],
];

/** The oldest that knows `--import`, and the newest that are too old. */
describe.each(['18.18', '18', '20.0', '20.18'])('on Node %s', { timeout: 120_000 }, (version) => {
  let node: string;
  beforeAll(() => {
    node = nodeOfVersion(version);
  }, 120_000);

  const line = (release: string) =>
    `spoor: nothing is recorded: this is Node ${release}, and 20.19 or newer is needed\n`;
  const isOf = expect.stringMatching(new RegExp(`^${line(`${version}(\\.\\d+)+`).replace('20.19', '20\\.19')}$`));

  test.each([
    ['an ES module that imports it', 'program.mjs', `import { ${NAMES} } from 'spoor';`],
    ['CommonJS that requires it', 'program.cjs', `const { ${NAMES} } = require('spoor');`],
    ['both at once', 'program.mjs', `import { ${NAMES} } from 'spoor'; import './other.cjs';`],
  ])('%s goes on unrecorded', async (_name, file, load) => {
    const project = new UserProject({ [file]: load + BODY, 'other.cjs': "require('spoor');" });
    const { code, stdout, stderr } = await project.run([file], home, {}, node);
    expect({ code, stderr }).toEqual({ code: 0, stderr: isOf });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text) as unknown),
    ).toEqual(OUTPUT);
  });

  test.each(['--import', '--require'])('a program under %s spoor/register goes on unrecorded', async (flag) => {
    const project = new UserProject({ 'program.mjs': "console.log('ran');" });
    const finished = await project.run([flag, 'spoor/register', 'program.mjs'], home, {}, node);
    expect(finished).toMatchObject({ code: 0, stdout: 'ran\n', stderr: isOf });
  });

  test.each([
    ['program.mjs', (entry: string) => `import('${entry}')`],
    ['program.cjs', (entry: string) => `Promise.resolve(require('${entry}'))`],
  ])('globals have no more names after %s has loaded all of it', async (file, load) => {
    const loaded = ENTRIES.filter((entry) => entry !== 'spoor/register').map(load);
    const use = "({ traced, publish }) => [traced((n) => n)(1), publish({ a: '\\ud800' }, 'value'), tell()]";
    const project = new UserProject({
      [file]: `${GLOBALS}Promise.all([${loaded.join()}]).then(([all]) => (${use})(all));`,
    });
    const { code, stdout } = await project.run([file], home, {}, node);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '[]\n' });
  });

  test.each(ENTRIES)('%s has the exports that it has elsewhere', async (entry) => {
    const project = new UserProject({
      'names.mjs': `import * as all from '${entry}'; console.log(Object.keys(all).sort().join());`,
      'names.cjs': `console.log(Object.keys(require('${entry}')).sort().join());`,
    });
    const env = { SPOOR_DISABLED: '1' };
    const expected = await project.run(['names.mjs'], home, env);
    for (const file of ['names.mjs', 'names.cjs']) {
      const { code, stdout, stderr } = await project.run([file], home, env, node);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expected.stdout, stderr: '' });
    }
  });

  test.each([[], ['--version'], ['ls'], ['serve'], ['run', '--', 'node']])(
    'the command says so: %s',
    async (...args) => {
      const finished = await new UserProject().run([join(ROOT, 'dist/cli/bin.cjs'), ...args], home, {}, node);
      expect(finished).toMatchObject({ code: 1, stdout: '' });
      expect(finished.stderr).toMatch(/^spoor: Node 20\.19 or newer is needed, and this is \d+\.\d+\.\d+\n$/);
    },
  );
});

test('where require loads no ES modules though Node is new enough, what is required records', async () => {
  const body = `
    const step = traced(function step(n) { return n; });
    step(1);
    flush().then(() => console.log(stats().recorded));`;
  const project = new UserProject({ 'program.cjs': `const { traced, flush, stats } = require('spoor');${body}` });
  const finished = await project.run(['--no-experimental-require-module', 'program.cjs'], home);
  expect(finished).toMatchObject({ code: 0, stdout: '2\n' });
});

test('what an older Node loads asks lists for no method that Node 18 lacks', () => {
  const copy = readFileSync(join(ROOT, 'dist/older/library.cjs'), 'utf8');
  expect(copy.match(/\.(?:toSorted|toReversed|toSpliced|isWellFormed|fromAsync|withResolvers|groupBy)\b/g)).toBeNull();
});

test('a bundle of CommonJS holds the library, and not the copy for an older Node', async () => {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    stdin: { contents: "require('spoor').traced(() => 1)()", resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    packages: 'bundle',
    external: ['p-queue', '@opentelemetry/api'],
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContain('dist/index.js');
  expect(inputs.filter((input) => input.includes('library'))).toEqual([]);
});
