import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { opNameOf } from '../../src/protocol/ref.ts';
import { machinePerFile } from '../flow/machine.ts';
import { ROOT } from '../flow/service-process.ts';
import { nodeOfMajor } from '../node-version.ts';
import { callsOf, UserProject } from './program.ts';

const CLI = join(ROOT, 'dist', 'cli', 'main.js');
const REGISTER = ['--import', 'spoor/register'];
const ENV = { SPOOR_CAPTURE: 'src/**' };

const machine = machinePerFile();

/** Calls as `<parent> > <op>`, in order of their starts. */
async function treeOf(): Promise<string[]> {
  const calls = await callsOf(machine.service);
  const nameOf = (id: string | null | undefined) => {
    const call = calls.find((each) => each.id === id);
    return call === undefined ? '' : `${opNameOf(call.op_name)} > `;
  };
  return calls.map(({ op_name: name, parent_id: parent }) => nameOf(parent) + opNameOf(name));
}

/** All ways to export something that a program may tell apart. */
const SHAPES = `
export function plain(a, b = 2) { return [a, b, this === undefined]; }
export const arrow = (x) => x + 1, second = async (y) => { await null; return arrow(y); };
export async function rejects() { await null; throw new TypeError('No'); }
export function* numbers(n) { for (let i = 0; i < n; i += 1) yield i; return 'end'; }
export async function* later(n) { yield* numbers(n); }
export function Old(name) { if (!new.target) return 'called'; this.name = name; }
export class Base {
  static made = 0;
  static make(...args) { Base.made += 1; return new this(...args); }
  #secret = 1;
  constructor(name) { this.name = name; this.target = new.target.name; }
  get shown() { return this.name + this.#secret; }
  describe(more) { return this.#hidden() + more; }
  #hidden() { return this.shown; }
  toJSON() { return { name: this.name }; }
  [Symbol.iterator]() { return [1, 2][Symbol.iterator](); }
}
export class Derived extends Base { describe(more) { return 'derived ' + super.describe(more); } }
export let count = 0;
export function increment() { count += 1; return count; }
const hidden = { method() { return this === hidden; } };
const one = function named() { return 'one'; };
export { one as renamed, one as 'with blanks', hidden };
export const template = 'export const arrow = 1';
export const routes = { plain };
`;

const USE = `
import fallback, * as all from './src/shapes.mjs';
import { count, increment, Derived, Base, Old, plain, routes, renamed } from './src/shapes.mjs';
import { again, star } from './src/again.mjs';
const say = (...what) => console.log(JSON.stringify(what, (_k, v) => typeof v === 'function' ? 'function ' + v.name + v.length + v.toString() + Object.getOwnPropertyNames(v).filter((name) => name !== 'toString').join() : v));
say(Object.keys(all), Object.values(all));
say(fallback.name, fallback.length, String(fallback), fallback(1));
say(plain(1), plain.call(undefined, 3, 4), routes.plain === plain, all['with blanks'] === renamed);
say(count, increment(), count, all.count);
say(await all.second(1), [...all.numbers(3)], all.numbers(1).next());
for await (const each of all.later(2)) say(each);
try { await all.rejects(); } catch (error) { say(error instanceof TypeError, error.message); }
const instance = Derived.make('d');
say(instance, instance instanceof Base, instance.constructor === Derived, instance.target, instance.describe('!'), [...instance]);
say(Base.made, Object.getOwnPropertyNames(Base), Object.getOwnPropertyNames(Base.prototype), Object.keys(instance));
const old = new Old('o'); class Young extends Old {}
say(old, old instanceof Old, old.constructor === Old, Old('x'), new Young('y') instanceof Old, new Young('z').constructor === Young);
say(again === plain, star === renamed, all.hidden.method());
`;

const DEFAULTS: Readonly<Record<string, string>> = {
  'an arrow function': 'export default (a) => [a]',
  'a function without a name': 'export default function (a) { return [a]; }\n(function () {})();',
  'a function behind a comment': 'export default /* a */ function /* b */ (a) { return [a]; }\n[1].forEach(() => {});',
  'a function with a name behind comments': 'export /* a */ default async /* b */ function fallback(a) { return [a]; }',
  'an async function with a name': 'export default async function fallback(a) { return [a]; }',
  'a generator without a name': 'export default function* (a) { yield a; }',
  'a local function': 'const local = (a) => [a];\nexport default local;',
  'a function by its name': 'const local = (a) => [a];\nexport { local as default };',
  'what another function made': 'const make = (f) => f;\nexport default make((a) => [a]);',
};

describe('a program whose modules are captured', () => {
  test.each(Object.entries(DEFAULTS))('prints what it prints without, default: %s', async (_name, source) => {
    const project = new UserProject({
      'main.mjs': USE,
      'src/shapes.mjs': SHAPES + source,
      'src/again.mjs': `import { plain } from './shapes.mjs'; export { plain as again }; export * from './more.mjs';`,
      'src/more.mjs': `export { renamed as star } from './shapes.mjs';`,
    });
    const bare = await project.run(['main.mjs'], machine.home, ENV);
    expect(bare).toMatchObject({ code: 0, stderr: '' });
    const captured = await project.run([...REGISTER, 'main.mjs'], machine.home, ENV);
    for (const [index, line] of bare.stdout.split('\n').entries())
      expect(captured.stdout.split('\n')[index]).toBe(line);
    expect(captured).toEqual(bare);
    const tree = await treeOf();
    expect(tree).toContain('shapes');
    expect(tree).toEqual(
      expect.arrayContaining([
        'shapes.plain',
        'shapes.second > shapes.arrow',
        'shapes.increment',
        'Base.make',
        'Derived.describe > Base.describe',
        'shapes.later > shapes.numbers',
      ]),
    );
  });
});

test('a default class without a name keeps its identity and its text', async () => {
  const source = `export default class { run(x) { return [x, new.target]; } static make() { return new this(); } }`;
  const main = `import Job, * as all from './src/job.mjs'; const job = Job.make();
    console.log(String(Job), Job.name, job.constructor === Job, JSON.stringify(job.run(1)), Object.keys(all).join());`;
  const project = new UserProject({ 'main.mjs': main, 'src/job.mjs': source });
  const bare = await project.run(['main.mjs'], machine.home, ENV);
  expect(await project.run([...REGISTER, 'main.mjs'], machine.home, ENV)).toEqual(bare);
  expect(await treeOf()).toEqual(['default.make', 'default.run']);
});

const COMMON = `
const { increment } = require('./counter.cjs');
exports.plain = function plain(a, b = 2) { return [a, b, this === exports]; };
exports.arrow = async (x) => { await null; return increment(x); };
exports.Box = class Box { constructor() { this.kind = new.target.name; } open() { return this.kind; } static make() { return new this(); } };
Object.defineProperty(exports, 'lazy', { get: () => { console.log('asked'); return () => 'lazy'; }, enumerable: true });
Object.defineProperty(exports, 'increment', { get: function () { return counter_1.increment; }, enumerable: true });
const counter_1 = require('./counter.cjs');
exports.value = { kept: true };
exports.itself = exports.plain;
`;

const USE_COMMON = `
const all = require('./src/common.cjs'); const fn = require('./src/fn.cjs'); const { stats } = require('spoor');
const say = (...what) => console.log(JSON.stringify(what, (_k, v) => typeof v === 'function' ? 'function ' + v.name + v.length + v.toString() : v));
(async () => {
  say(Object.keys(all), all.plain, all.plain(1), all.itself === all.plain, await all.arrow(1), all.Box, all.value);
  const box = all.Box.make();
  say(box, box.open(), box instanceof all.Box, box.constructor === all.Box);
  say(all.lazy(), all.increment(2));
  say(fn, fn(1), fn.other(2), fn.self === fn);
  const esm = await import('./src/common.cjs');
  say(Object.keys(esm), esm.plain === all.plain, esm.default === all);
  if (process.env.STATS) console.log(JSON.stringify(stats().captured));
})();
`;

function commonProject(): UserProject {
  return new UserProject({
    'main.cjs': USE_COMMON,
    'src/common.cjs': COMMON,
    'src/counter.cjs': 'exports.increment = (x) => x + 1;',
    'src/fn.cjs':
      'module.exports = function main(x) { return x; }; module.exports.other = (x) => x; module.exports.self = module.exports;',
  });
}

test('CommonJS modules: what they export is recorded, getters are left alone and told', async () => {
  const project = commonProject();
  const bare = await project.run(['main.cjs'], machine.home, { ...ENV, NODE_NO_WARNINGS: '1' });
  expect(bare).toMatchObject({ code: 0, stderr: '' });
  const captured = await project.run([...REGISTER, 'main.cjs'], machine.home, {
    ...ENV,
    NODE_NO_WARNINGS: '1',
    SPOOR_CONFIG: '',
  });
  expect(captured.stdout).toBe(bare.stdout);
  expect(captured.stderr).toBe(
    'spoor: Cannot capture all of "src/common.cjs": left as they are: lazy (it is a getter)\n',
  );
  expect(await treeOf()).toEqual([
    'common.plain',
    'common.arrow',
    'common.arrow > counter.increment',
    'Box.make',
    'Box.open',
    'counter.increment',
    'fn',
    'fn.other',
  ]);
});

test('stats tell what is recorded of each module, by which hook, and what is not', async () => {
  const { stdout } = await commonProject().run([...REGISTER, 'main.cjs'], machine.home, { ...ENV, STATS: '1' });
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual([
    { library: 'src/counter.cjs', hook: 'require', ops: ['counter.increment'], state: 'captured' },
    {
      library: 'src/common.cjs',
      hook: 'require',
      ops: ['common.plain', 'common.arrow', 'Box.open', 'Box.make'],
      state: 'partial',
      message: 'left as they are: lazy (it is a getter)',
    },
    { library: 'src/fn.cjs', hook: 'require', ops: ['fn', 'fn.other'], state: 'captured' },
  ]);
});

const TYPED = `#!/usr/bin/env node
import type { Options } from './types.ts';
import { basename } from 'node:path';
export interface Shape { readonly size: number }
export type Name = string;
export const double = <T extends number>(x: T): number => x * 2;
export function over(a: string): string;
export function over(a: number): number;
export function over(a: unknown): unknown { return a; }
export abstract class Animal<T = string> { abstract cry(): T; speak(times: number = 1): string { return String(this.cry()).repeat(times); } }
export class Fox extends Animal { cry(): string { return 'ring'; } }
export const options: Options = { deep: true }, name = (path: string) => basename(path) as string;
export { basename };
export default (x: number) => double(x);
`;

const USE_TYPED = `
import quadruple, { double, Fox, name, options, over, basename } from './src/typed.ts';
import { basename as original } from 'node:path';
console.log(JSON.stringify([quadruple(1), double(2), new Fox().speak(2), name('a/b'), options, over('x'), basename === original, quadruple.name]));
`;

const TREE_OF_TYPED = [
  'typed',
  'typed > typed.double',
  'typed.double',
  'Animal.speak',
  'Animal.speak > Fox.cry',
  'typed.name',
  'typed.over',
];

function typedProject(): UserProject {
  return new UserProject({
    'package.json': '{ "name": "typed", "type": "module" }',
    'main.ts': USE_TYPED,
    'src/typed.ts': TYPED,
    'src/types.ts': 'export interface Options { readonly deep: boolean }',
  }).link('tsx');
}

test.each([
  ['below the loader', [...REGISTER, '--import', 'tsx']],
  ['above the loader', ['--import', 'tsx', ...REGISTER]],
])('TypeScript with tsx, %s', async (_where, args) => {
  const project = typedProject();
  const bare = await project.run(['--import', 'tsx', 'main.ts'], machine.home, ENV);
  expect(bare).toMatchObject({ code: 0, stderr: '' });
  expect(await project.run([...args, 'main.ts'], machine.home, ENV)).toEqual(bare);
  expect(await treeOf()).toEqual(TREE_OF_TYPED);
  const [root] = await callsOf(machine.service);
  expect(root?.attributes['svc']).toMatchObject({ code_file: 'src/typed.ts', code_line: 14 });
});

test('TypeScript with tsx as CommonJS', async () => {
  const project = new UserProject({
    'package.json': '{ "name": "typed" }',
    'main.ts': `import more, { count, double, Fox, increment } from './src/typed'; import * as all from './src/typed';
      const seen: unknown[] = [more(1), double(2), new Fox().cry(), Fox.name, count, increment(), count, Object.keys(all), all.Fox === Fox];
      console.log(JSON.stringify(seen), double.name, new Error('here').stack?.split('\\n')[1]?.replace(/.*main/, 'main'));`,
    'src/typed.ts': `export const double = (x: number): number => x * 2; export class Fox { cry(): string { return 'ring'; } }
      export let count = 0; export function increment(): number { count += 1; return count; }
      export default (x: number): number => double(x);`,
  }).link('tsx');
  const bare = await project.run(['--import', 'tsx', 'main.ts'], machine.home, ENV);
  expect(bare).toMatchObject({ code: 0, stderr: '' });
  expect(await project.run([...REGISTER, '--import', 'tsx', 'main.ts'], machine.home, ENV)).toEqual(bare);
  expect(await treeOf()).toEqual(['typed', 'typed.double', 'Fox.cry', 'typed.increment']);
});

/** Files that the guide shows under their names. */
function filesOfGuide(): Record<string, string> {
  const guide = readFileSync(join(ROOT, 'docs', 'guides', 'automatic-capture.md'), 'utf8');
  const shown = guide.matchAll(/^`([^`\n]+)`:\n\n```\w+\n([\s\S]*?)^```/gm);
  return Object.fromEntries([...shown].map(([, file = '', text = '']) => [file, text]));
}

test('TypeScript in a thread and in a child, as the guide says', async () => {
  const project = new UserProject({ 'package.json': '{ "name": "threads" }', ...filesOfGuide() }).link('tsx');
  for (const args of [
    [...REGISTER, '--import', 'tsx'],
    ['--import', 'tsx'],
  ]) {
    expect(await project.run([...args, 'main.mts'], machine.home)).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    });
  }
  // Below the call of the program where the hooks carry it on, and all the same without them.
  expect((await treeOf()).toSorted()).toEqual(['main', 'main', 'main > work', 'main > work', 'work', 'work']);
  const works = (await callsOf(machine.service)).filter(({ op_name: name }) => opNameOf(name) === 'work');
  const places = works.map(({ inputs }) => JSON.stringify(inputs)).toSorted();
  expect(places).toEqual(['a child', 'a child', 'a thread', 'a thread'].map((place) => JSON.stringify({ place })));
}, 120_000);

test('what comes from another module is left to that, also as a default', async () => {
  const project = new UserProject({
    'main.mjs': `import join, { again } from './src/paths.mjs'; console.log(join('a', 'b'), again('c/d'));`,
    'src/paths.mjs': `import { join, basename } from 'node:path'; export { basename as again }; export default join;`,
  });
  expect(await project.run([...REGISTER, 'main.mjs'], machine.home, ENV)).toMatchObject({
    stdout: 'a/b d\n',
    stderr: expect.stringMatching(/^spoor: nothing was recorded in this process: [^\n]*\n$/) as string,
  });
  expect(await treeOf()).toEqual([]);
});

test('what is not written in a module is not changed by it: it is used elsewhere, too', async () => {
  const project = new UserProject({
    'main.mjs': `import { EventEmitter } from 'node:events'; import fs from 'node:fs'; import { createRequire } from 'node:module';
      const shared = () => [Map.prototype.set, Promise.all, EventEmitter.prototype.emit, EventEmitter.prototype.constructor, fs.existsSync];
      const before = shared();
      const { Store, makes } = await import('./src/shared.mjs'); const require = createRequire(import.meta.url);
      const [some, all] = [require('./src/some.cjs'), require('./src/all.cjs')];
      console.log(shared().every((fn, index) => fn === before[index]), new Store([[1, 2]]).get(1), makes(), some.own(), all === fs);`,
    'src/shared.mjs': `import { EventEmitter } from 'node:events'; const Base = EventEmitter; export { Base };
      export const Store = Map, P = Promise, made = ((C) => C)(Set), makes = () => 'made'; export default EventEmitter;`,
    'src/some.cjs': `module.exports = { Emitter: require('node:events'), own() { return 'own'; } };`,
    'src/all.cjs': `module.exports = require('node:fs');`,
  });
  const told = { code: 0, stdout: 'true 2 made own true\n', stderr: '' };
  expect(await project.run([...REGISTER, 'main.mjs'], machine.home, ENV)).toMatchObject(told);
  expect(await treeOf()).toEqual(['shared.makes', 'some.own']);
});

test.each([
  [
    'functions that a wrapper could not stand for',
    `export const api = new Proxy(function () {}, { get: (_target, key) => () => key });
     const make = () => { const count = () => ++count.count; count.count = 0; return count; };
     export const counter = make(); export const fine = () => 'fine';`,
    'api (it is a proxy), counter (it keeps values in itself)',
    ['odd.fine'],
  ],
  [
    'modules that use our name',
    `const __spoor_ = 0; export const api = { users: () => 'users' }, fine = () => 'fine';
     let count = __spoor_; export const counter = Object.defineProperty(() => { count += 1; }, 'count', { get: () => count });`,
    'all (it has a "__spoor_" of its own)',
    [],
  ],
])('%s are left, and told', async (_what, source, told, tree) => {
  const project = new UserProject({
    'main.mjs': `import { api, counter, fine } from './src/odd.mjs'; counter(); counter(); console.log(api.users(), counter.count, fine());`,
    'src/odd.mjs': source,
  });
  expect(await project.run([...REGISTER, 'main.mjs'], machine.home, ENV)).toMatchObject({
    code: 0,
    stdout: 'users 2 fine\n',
    stderr: `spoor: Cannot capture all of "src/odd.mjs": left as they are: ${told}\n`,
  });
  expect(await treeOf()).toEqual(tree);
});

test('where nothing is to be recorded, nothing is edited', async () => {
  const project = new UserProject({
    'main.mjs': `import { f } from './src/f.mjs'; f();
      console.log(Object.getOwnPropertySymbols(globalThis).filter(({ description }) => /^spoor\\.(?:own|register)/.test(description)).length);`,
    'src/f.mjs': 'export const f = () => 1;',
  });
  const env = { ...ENV, SPOOR_DISABLED: '1' };
  expect(await project.run([...REGISTER, 'main.mjs'], machine.home, env)).toMatchObject({
    code: 0,
    stdout: '0\n',
    stderr: '',
  });
});

test('TypeScript whose types Node itself takes out', async () => {
  const program = nodeOfMajor(24);
  const project = typedProject();
  const bare = await project.run(['main.ts'], machine.home, ENV, program);
  expect(bare).toMatchObject({ code: 0, stderr: '' });
  expect(await project.run([...REGISTER, 'main.ts'], machine.home, ENV, program)).toEqual(bare);
  expect(await treeOf()).toEqual(TREE_OF_TYPED);
}, 120_000);

test.each([
  ['spoor.config.json', '{ "capture": ["./src/**", "!src/left.mjs"], "port": 1 }'],
  ['spoor.config.mjs', `export default { capture: ['src/*.mjs', '!src/left.mjs'] };`],
  ['spoor.config.js', `module.exports = { capture: ['**/taken.mjs'] };`],
])('%s says which modules, and never those of packages', async (file, text) => {
  const project = new UserProject({
    'main.mjs': `import { a } from './src/taken.mjs'; import { b } from './src/left.mjs'; import { c } from 'src'; a(); b(); c();`,
    'src/taken.mjs': 'export const a = () => {};',
    'src/left.mjs': 'export const b = () => {};',
    'node_modules/src/package.json': '{ "name": "src", "main": "taken.mjs" }',
    'node_modules/src/taken.mjs': 'export const c = () => {};',
    [file]: text,
  });
  expect(await project.run([...REGISTER, 'main.mjs'], machine.home)).toMatchObject({ code: 0, stderr: '' });
  expect(await treeOf()).toEqual(['taken.a']);
});

test.each([
  ['{ "capture": "src" }', /^spoor: no module of the program is captured\. Cannot use "capture" of .*: want a list/],
  ['{', /^spoor: no module of the program is captured\. Cannot read .*spoor\.config\.json/],
])('a configuration that makes no sense is told, and the program runs: %s', async (text, told) => {
  const project = new UserProject({ 'main.mjs': 'console.log(1);', 'spoor.config.json': text });
  const { code, stdout, stderr } = await project.run([...REGISTER, 'main.mjs'], machine.home);
  expect([code, stdout]).toEqual([0, '1\n']);
  expect(stderr).toMatch(told);
});

test('modules that import each other, and one that fails, do so as before', async () => {
  const project = new UserProject({
    'main.mjs': `import { even } from './src/even.mjs'; console.log(even(3));
      await import('./src/broken.mjs').catch((error) => console.log(error.stack.split('\\n').slice(0, 2).join('|')));
      await import('./src/wrong.mjs').catch((error) => console.log(String(error)));`,
    'src/even.mjs': `import { odd } from './odd.mjs'; export const even = (n) => n === 0 || odd(n - 1);`,
    'src/odd.mjs': `import { even } from './even.mjs'; export function odd(n) { return n !== 0 && even(n - 1); }`,
    'src/broken.mjs': `\nexport const fails = () => {};\nthrow new Error('It broke');`,
    'src/wrong.mjs': 'export const a = ;',
  });
  const bare = await project.run(['main.mjs'], machine.home, ENV);
  expect(bare).toMatchObject({ code: 0, stderr: '' });
  expect(await project.run([...REGISTER, 'main.mjs'], machine.home, ENV)).toEqual(bare);
  expect(await treeOf()).toEqual(['even.even', 'even.even > odd.odd', 'odd.odd > even.even', 'even.even > odd.odd']);
});

test('what is hostile to being looked at is left alone', async () => {
  const project = new UserProject({
    'main.mjs': `import * as all from './src/hostile.mjs'; console.log(Object.keys(all).join(), new all.Frozen().run(), all.revoked === all.revoked);`,
    'src/hostile.mjs': `export class Frozen { run() { return 1; } } Object.freeze(Frozen.prototype);
      const { proxy, revoke } = Proxy.revocable(function () {}, {}); revoke(); export const revoked = proxy;
      export const after = () => 1;`,
  });
  const bare = await project.run(['main.mjs'], machine.home, ENV);
  const { stdout, code, stderr } = await project.run([...REGISTER, 'main.mjs'], machine.home, ENV);
  expect([code, stdout]).toEqual([0, bare.stdout]);
  expect(stderr).toContain('src/hostile.mjs');
});

test('the doctor says what of the program is recorded, and what was left', async () => {
  const project = commonProject().write('spoor.config.json', '{ "capture": ["src/**"] }');
  await project.run([...REGISTER, 'main.cjs'], machine.home);
  const { stdout } = await project.run([CLI, 'doctor', '--json'], machine.home);
  const { findings } = JSON.parse(stdout) as { findings: { level: string; about: string; message: string }[] };
  expect(findings).toContainEqual({
    level: 'ok',
    about: 'capture',
    message: 'what modules of src/** export is recorded under --import spoor/register',
  });
  expect(findings.find(({ about }) => about === 'last problems')?.message).toMatch(/^capture-partial.*lazy/);
});
