import { builtinModules, createRequire } from 'node:module';
import { array, assert, boolean, constantFrom, option, property, record } from 'fast-check';
import { parseAst } from 'vite';
import { describe, expect, test, vi } from 'vitest';
import { parameterNames } from '../../src/tracing/source/parameter-names.ts';

/** What a source stands for: names, `undefined` without one, and the position of a rest parameter at the end. */
type Expected = readonly (string | number | undefined)[];

/** From source text, because the compiler of the tests would rewrite functions written here. */
function evaluate(source: string): Function {
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function(`return (${source}\n)`)() as Function;
}

function evaluateMethod(source: string): Function {
  const object = evaluate(`{ ${source} }`) as unknown as object;
  const key = Reflect.ownKeys(object)[0] ?? '';
  const descriptor = Object.getOwnPropertyDescriptor(object, key) ?? {};
  return Object.values(descriptor).find((each) => typeof each === 'function') as Function;
}

function namesOf(fn: Function): Expected {
  const { names, restAt } = parameterNames(fn);
  return restAt === -1 ? names : [...names, restAt];
}

/** The engine counts the parameters before the first one with a default and before a rest parameter. */
function checkedNamesOf(fn: Function, source: string): Expected {
  const { names, restAt } = parameterNames(fn);
  const plain = restAt === -1 ? names.length : restAt;
  const hasDefaults = source.replaceAll('=>', '').includes('=');
  const isRight = hasDefaults ? fn.length <= plain : fn.length === plain;
  if (!isRight) throw new Error(`The engine counts ${fn.length} of ${plain} parameters`);
  return namesOf(fn);
}

const _ = undefined;

describe('plain functions', () => {
  test.each<[string, Expected]>([
    ['function f() {}', []],
    ['function f(first, second) {}', ['first', 'second']],
    ['function f(first, second,) {}', ['first', 'second']],
    ['function f(\n  first,\n  second,\n) {}', ['first', 'second']],
    ['function f(\r\n\tfirst\u00a0,\ufeffsecond) {}', ['first', 'second']],
    ['function f(first,second){}', ['first', 'second']],
    ['function (first) {}', ['first']],
    ['async function f(first) {}', ['first']],
    ['async function(first) {}', ['first']],
    ['function* f(first) {}', ['first']],
    ['function *f(first) {}', ['first']],
    ['async function* named (first) {}', ['first']],
    ['async  /* wait */ function // now (\n *named (first) {}', ['first']],
    ['function f(größe, $dollar, _under, 中, ñ\u0301) {}', ['größe', '$dollar', '_under', '中', 'ñ\u0301']],
    ['function f(\\u0061bc, d\\u{65}f, g\\u{10400}) {}', ['abc', 'def', 'g\u{10400}']],
    ['function f(𠮷, 𐐀a) {}', ['𠮷', '𐐀a']],
    ['function f(get, set, of, async, from, as, type) {}', ['get', 'set', 'of', 'async', 'from', 'as', 'type']],
    ['function f(yield_, let_, static_) {}', ['yield_', 'let_', 'static_']],
    ['function f(await, yield, let, static) {}', ['await', 'yield', 'let', 'static']],
    ['function f(constructor, prototype, __proto__) {}', ['constructor', 'prototype', '__proto__']],
    ['function f(self, arg0, arg1) {}', ['self', 'arg0', 'arg1']],
    ['function f(a, b) {}', ['a', 'b']],
    ['function f(a, a) {}', [_, 'a']],
    ['function f(a, b, a, c, b) {}', [_, _, 'a', 'c', 'b']],
    ['function f(a) { return function (b, c) {} }', ['a']],
    ['function f(a) { "(b, c)" }', ['a']],
  ])('%s', (source, expected) => {
    expect(checkedNamesOf(evaluate(source), source)).toEqual(expected);
  });
});

describe('arrow functions', () => {
  test.each<[string, Expected]>([
    ['() => 1', []],
    ['() => (one, two)', []],
    ['async () => (1, 2)', []],
    ['(first, second) => 1', ['first', 'second']],
    ['first => 1', ['first']],
    ['first=>1', ['first']],
    ['async first => 1', ['first']],
    ['async first=>1', ['first']],
    ['async (first) => 1', ['first']],
    ['async(first)=>1', ['first']],
    ['async => async', ['async']],
    ['async async => async', ['async']],
    ['async (async) => async', ['async']],
    ['größe => 1', ['größe']],
    ['\\u0061bc => 1', ['abc']],
    ['$ => $', ['$']],
    ['_ => (other, wrong) => 1', ['_']],
    ['first /* (wrong) => */ => 1', ['first']],
    ['/* (wrong) */ first => 1', ['first']],
    ['async /* (wrong) */ first => 1', ['first']],
    ['(first = (wrong) => 1, second = wrong => 2) => 1', ['first', 'second']],
    ['([first]) => 1', [_]],
    ['({ first }) => 1', [_]],
    ['(...all) => 1', ['all', 0]],
    ['async (...all) => 1', ['all', 0]],
  ])('%s', (source, expected) => {
    expect(checkedNamesOf(evaluate(source), source)).toEqual(expected);
  });
});

describe('defaults', () => {
  test.each<[string, Expected]>([
    ['function f(first = 1, second) {}', ['first', 'second']],
    ['function f(first="a,b)", second=[1, 2], third={ a: (1, 2) }) {}', ['first', 'second', 'third']],
    ["function f(first = ')', second = ',', third = '\\'),', last) {}", ['first', 'second', 'third', 'last']],
    ["function f(first = '\\\\', second = '\\\\\\'),') {}", ['first', 'second']],
    ["function f(first = '\\\n),', second) {}", ['first', 'second']],
    ['function f(first = `a${(1, ")")},`, second) {}', ['first', 'second']],
    ['function f(first = `${`${"}"})`}),`, second) {}', ['first', 'second']],
    [
      'function f(first = `\\`),`, second = `\\${)`, third = `$`, last = `$$${1})`) {}',
      ['first', 'second', 'third', 'last'],
    ],
    ['function f(first = String.raw`\\u{),`, second) {}', ['first', 'second']],
    ['function f(first = /[,)]/, second = /\\/,\\)/g, third = /[\\/\\),]"/v) {}', ['first', 'second', 'third']],
    ['function f(first = 6 / 2, second = "/", third = 4 / 1) {}', ['first', 'second', 'third']],
    ['function f(first = Math.max(1, 2) / 2, second = [3][0] / 1, last) {}', ['first', 'second', 'last']],
    [
      'function f(first, second = first++ / 2, third = "/", fourth = 1. / 2, last = "/") {}',
      ['first', 'second', 'third', 'fourth', 'last'],
    ],
    [
      'function f(first, second = first + +/[,]/.length, third = - --first / 2, last = "/") {}',
      ['first', 'second', 'third', 'last'],
    ],
    ['function f(first = {}.return / 2, second = "/,)", third) {}', ['first', 'second', 'third']],
    ['function f(first = typeof /[,)]/, second = void /,/, last) {}', ['first', 'second', 'last']],
    ['function f(first = { a: /[)}]/ }, second = { "b)": 1 } / 2, third = "/") {}', ['first', 'second', 'third']],
    ['function f(first = (x, y) => x / y, second = "/)") {}', ['first', 'second']],
    ['function f(first = (x) => { return /[)}]/ }, second) {}', ['first', 'second']],
    ['function f(first = function () { if (1) /[)}]/.test(")"); { } /,/.test(""); }, last) {}', ['first', 'last']],
    ['function f(first = function () { for (;;) /\\)}/; while (0) /,/; }, last) {}', ['first', 'last']],
    [
      'function f(first = () => {}, second = async ({ a, b }, [c]) => ({ a, b, c }), last) {}',
      ['first', 'second', 'last'],
    ],
    ['function f(first = class { method(a, b) {} static x = [1, 2]; #y = ")" }, last) {}', ['first', 'last']],
    ['function f(first = class extends Array { constructor(wrong) { super(wrong) } }, last) {}', ['first', 'last']],
    ['function f(first = new Map([[1, 2], [3, 4]]), last) {}', ['first', 'last']],
    [
      'function f(first = 1 < 2, second = 3 > 2, third = 1 << 2, last = 8 >> 1) {}',
      ['first', 'second', 'third', 'last'],
    ],
    [
      'function f(first = a ? b : c, second = a ?? b, third = a?.b, last = !a) {}',
      ['first', 'second', 'third', 'last'],
    ],
    [
      'function f(first = 1_000, second = 0x1F, third = 10n, fourth = .5, last = 1e-5) {}',
      ['first', 'second', 'third', 'fourth', 'last'],
    ],
    ['function f(first = (1, 2), second = ((3)), last) {}', ['first', 'second', 'last']],
    ['function f(first = { get a() { return 1 }, "b": 2, [`c`]: 3, d() {}, ...{} }, last) {}', ['first', 'last']],
    ['(first, second = first.map((x) => x * 2), third = { x, y: [1, 2] }) => 1', ['first', 'second', 'third']],
    ['(first = () => { switch (1) { case 1: { } /[)]/; default: } }, last) => 1', ['first', 'last']],
    [
      '(first = function* () { yield /[)]/ }, second = async () => { await /[,)]/ }, last) => 1',
      ['first', 'second', 'last'],
    ],
    ['(first = x => { do /[)]/.test(1); while (0) }, last) => 1', ['first', 'last']],
    ['(first = x => { if (x) {} else /[)]/.test(1) }, last) => 1', ['first', 'last']],
    ['(first = { if: (1) / 2 }, second = { a: {} / 2 }, last = "/") => 1', ['first', 'second', 'last']],
  ])('%s', (source, expected) => {
    expect(checkedNamesOf(evaluate(source), source)).toEqual(expected);
  });
});

describe('destructuring and rest parameters', () => {
  test.each<[string, Expected]>([
    ['function f({ a, b }) {}', [_]],
    ['function f({ a, b }, [c, d] = [], last) {}', [_, _, 'last']],
    ['function f(first, { a: { b: [c] }, ...d }, last) {}', ['first', _, 'last']],
    ['function f({ a = ")", b: { c } = {} } = {}, [d = /[\\]}]/] = [], last) {}', [_, _, 'last']],
    ['function f({ [`a${")"}`]: b, "c,": d }, last) {}', [_, 'last']],
    ['function f([, , a], last) {}', [_, 'last']],
    ['function f({}, [], last) {}', [_, _, 'last']],
    ['function f(first, ...others) {}', ['first', 'others', 1]],
    ['function f(...all) {}', ['all', 0]],
    ['function f(... /* all */ all) {}', ['all', 0]],
    ['function f(first, ...[a, b]) {}', ['first', _, 1]],
    ['function f(first, ...{ length }) {}', ['first', _, 1]],
    ['function f(first = [...[1, 2]], ...others) {}', ['first', 'others', 1]],
    ['async ({ a }, ...others) => 1', [_, 'others', 1]],
  ])('%s', (source, expected) => {
    expect(checkedNamesOf(evaluate(source), source)).toEqual(expected);
  });
});

describe('comments', () => {
  test.each<[string, Expected]>([
    ['function f(/* first, */ second, // third, )\n fourth /* = 5 */) {}', ['second', 'fourth']],
    ['function /* (x) */ f(first) {}', ['first']],
    ['function // (x)\n f // (y)\n (first) {}', ['first']],
    ['function f(first // (\u2028, second) {}', ['first', 'second']],
    ['function f(first // (\r, second) {}', ['first', 'second']],
    ['function f(first /**/, /**/ second /* * / ) */, /***/ third) {}', ['first', 'second', 'third']],
    ['function f(/**\n * @param {(a, b) => c} first\n */ first) {}', ['first']],
    ['function f(first = /* "), */ 1, second /* = */) {}', ['first', 'second']],
    ['function f(first = 1 /* 2 / */ / 2, last = "/") {}', ['first', 'last']],
    ['function f(/* nothing */) {}', []],
    ['(/* nothing, */) => 1', []],
    ["function f(first /* it's `here` */, last) {}", ['first', 'last']],
    ['function f(first = "/* no comment", second = "*/") {}', ['first', 'second']],
    ['function f(first = /\\/*[)*]/, last) {}', ['first', 'last']],
  ])('%s', (source, expected) => {
    expect(checkedNamesOf(evaluate(source), source)).toEqual(expected);
  });
});

describe('methods', () => {
  test.each<[string, Expected]>([
    ['method(first, second) {}', ['first', 'second']],
    ['async method(first) {}', ['first']],
    ['*method(first) {}', ['first']],
    ['async *method(first) {}', ['first']],
    ['async * /* ( */ method(first) {}', ['first']],
    ['["com(puted" + (1)](first) {}', ['first']],
    ['async ["com)" + `(${1}]`](first) {}', ['first']],
    ['*[/[(]/.source](first) {}', ['first']],
    ['[Symbol.iterator](first) {}', ['first']],
    ['"quoted(name)"(first) {}', ['first']],
    ["'quoted(name)'(first) {}", ['first']],
    ['12(first) {}', ['first']],
    ['1.5e3(first) {}', ['first']],
    ['async(first) {}', ['first']],
    ['get(first) {}', ['first']],
    ['set(first) {}', ['first']],
    ['static(first) {}', ['first']],
    ['function(first) {}', ['first']],
    ['class(first) {}', ['first']],
    ['class /* C */ (first) {}', ['first']],
    ['constructor(first) {}', ['first']],
    ['if(first) {}', ['first']],
    ['get value() { return 1 }', []],
    ['set value(first) {}', ['first']],
    ['set [`(`](first) {}', ['first']],
    ['größe(first) {}', ['first']],
  ])('%s', (source, expected) => {
    expect(checkedNamesOf(evaluateMethod(source), source)).toEqual(expected);
  });

  test.each<[string, Expected]>([
    ['class { static x(first) {} }', ['first']],
    ['class { static async *x(first, ...others) {} }', ['first', 'others', 1]],
    ['class { static #run(first) {} static x = this.#run }', ['first']],
    ['class { static async #run(first = ")", second) {} static x = this.#run }', ['first', 'second']],
    ['class { static *#run({ a }, last) {} static x = this.#run }', [_, 'last']],
    ['class { static x = (first) => this }', ['first']],
    ['class { static x = async function (first) {} }', ['first']],
    ['class { #run(first) {} static x = new this().run; get run() { return this.#run } }', ['first']],
  ])('%s', (source, expected) => {
    expect(checkedNamesOf(Reflect.get(evaluate(source), 'x') as Function, source)).toEqual(expected);
  });
});

describe('classes', () => {
  test.each<[string, Expected]>([
    ['class { constructor(first, second = (1, 2)) {} }', ['first', 'second']],
    ['class{constructor(first){}}', ['first']],
    ['class Named { constructor(first) {} }', ['first']],
    ['class { other(x) { this.constructor(1); } constructor(first) {} }', ['first']],
    ['class { "constructor"(first) {} static constructor(wrong) {} }', ['first']],
    ["class { 'constructor'(first) {} }", ['first']],
    ['class { static constructor(wrong) {} }', []],
    ['class { static async *constructor(wrong) {} constructor(first) {} }', ['first']],
    ['class { static get constructor() { return 1 } constructor(first) {} }', ['first']],
    ['class { ["constructor"](wrong) {} constructor(first) {} }', ['first']],
    ['class { a = this.constructor(1)\n constructor(first) {} }', ['first']],
    ['class { a = function constructor(wrong) {}\n constructor(first) {} }', ['first']],
    ['class { a = { constructor(wrong) {} }; constructor(first) {} }', ['first']],
    ['class { a = class { constructor(wrong) {} }\n constructor(first) {} }', ['first']],
    ['class { a = /[}]constructor(wrong) {}/; constructor(first) {} }', ['first']],
    ['class { static { { function constructor(wrong) {} } } constructor(first) {} }', ['first']],
    ['class { a = 1; b\n c = `}`\n #d = 6 / 2; constructor /* ( */ (first) /* { */ {} }', ['first']],
    ['class { // constructor(wrong) {}\n constructor(first) {} }', ['first']],
    ['class { method(wrong) {} }', []],
    ['class {}', []],
    ['class extends Array { constructor(first) { super() } }', ['first']],
    ['class extends (class { constructor(wrong) {} }) { constructor(first) { super() } }', ['first']],
    ['class extends class { constructor(wrong) {} } { constructor(first) { super() } }', ['first']],
    ['class extends function (wrong) {} { constructor(first) { super() } }', ['first']],
    ['class extends { a: Array }.a { constructor(first) { super() } }', ['first']],
    ['class extends [{ a: Array }][0].a { constructor(first) { super() } }', ['first']],
    ['class extends null { constructor(first) {} }', ['first']],
    ['class extends class { constructor(first) {} } {}', ['first']],
    [
      'class extends class extends class { constructor(first, ...others) {} } {} { method(wrong) {} }',
      ['first', 'others', 1],
    ],
    ['class extends function (first) {} {}', ['first']],
    ['class extends Array {}', []],
    ['class extends null {}', []],
  ])('%s', (source, expected) => {
    // A derived class without a constructor counts no parameter, whatever the class above it takes.
    const fn = evaluate(source);
    expect(namesOf(fn)).toEqual(expected);
  });
});

describe('functions without a source to read', () => {
  test.each<[string, Expected]>([
    ['Math.max', []],
    ['Array', []],
    ['(function (first) {}).bind(null)', []],
    ['(class { constructor(first) {} }).bind(null)', []],
    ['new Proxy(function (first) {}, {})', []],
    ['Proxy.revocable(function (first) {}, {}).proxy', []],
    ['Object.assign(function (first) {}, { toString: () => "(wrong) => 1" })', ['first']],
    ['Object.assign(function (first) {}, { toString() { throw new Error() } })', ['first']],
    ['Object.defineProperty(function (first) {}, "length", { value: 7 })', ['first']],
    ['Object.defineProperty(function(a){}, "name", { get() { throw new Error() } })', []],
    ['Object.defineProperty(function (first) {}, "name", { value: 7 })', ['first']],
    ['new Function("first", "second /* ) */", "return 1")', ['first', 'second']],
    ['new Function("first, second // ,", "return 1")', ['first', 'second']],
    ['Object.setPrototypeOf(class extends Array {}, (first) => 1)', ['first']],
    ['Object.setPrototypeOf(class extends Array {}, new Proxy(Array, { getPrototypeOf() { throw new Error() } }))', []],
  ])('%s', (source, expected) => {
    expect(namesOf(evaluate(source))).toEqual(expected);
  });

  test('what is no function has no names, and nothing throws', () => {
    for (const value of [undefined, null, {}, 'function f(a) {}', 5]) {
      expect(parameterNames(value as Function)).toEqual({ names: [], restAt: -1 });
    }
  });
});

describe('minified code', () => {
  test.each<[string, Expected]>([
    ['function a(b,c){return b+c}', []],
    ['async function ab(c,d=1){return c+d}', []],
    ['class a{constructor(b,c){}}', []],
    // Written so by people, or by a loader that only takes out blanks.
    ['a=>a', ['a']],
    ['(e,t)=>e+t', ['e', 't']],
    ['function add(a,b){return a+b}', ['a', 'b']],
    ['function a(b, c) {return b+c}', ['b', 'c']],
    ['function f(text){return text}', ['text']],
  ])('%s', (source, expected) => {
    expect(namesOf(evaluate(source))).toEqual(expected);
  });
});

interface Syntax {
  readonly type: string;
  readonly name?: string;
  readonly kind?: string;
  readonly left?: Syntax;
  readonly argument?: Syntax;
  readonly value?: Syntax;
  readonly params?: readonly Syntax[];
  readonly body?: Syntax | readonly Syntax[];
  readonly properties?: readonly Syntax[];
  readonly expression?: Syntax;
}

/** The function in `source` as the parser of the bundler sees it. */
function parsed(source: string): Syntax | undefined {
  for (const text of [`(${source})`, `({ ${source} })`, `(class { ${source} })`]) {
    try {
      const { expression } = (parseAst(text) as unknown as { body: Syntax[] }).body[0] ?? {};
      if (expression?.properties) return expression.properties[0]?.value;
      if (expression?.type !== 'ClassExpression') return expression;
      const members = (expression.body as Syntax).body as readonly Syntax[];
      const isClass = source.startsWith('class');
      return (isClass ? members.find(({ kind }) => kind === 'constructor') : members[0])?.value;
    } catch {
      // Not this kind of function: the next text is of another kind.
    }
  }
  return undefined;
}

function namesByParser({ params = [] }: Syntax): Expected {
  const names = params.map((param) => {
    const bare = param.argument ?? param;
    return (bare.left ?? bare).name;
  });
  const restAt = params.findIndex(({ type }) => type === 'RestElement');
  return restAt === -1 ? names : [...names, restAt];
}

function functionsIn(value: unknown, found: Set<unknown>, depth: number): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
  if (depth === 0 || found.has(value)) return;
  found.add(value);
  for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(value))) {
    for (const each of Object.values(descriptor)) functionsIn(each, found, depth - 1);
  }
}

test('functions of the runtime have the names that a parser finds', () => {
  const require = createRequire(import.meta.url);
  const found = new Set<unknown>();
  for (const name of builtinModules.filter((each) => !/^_|^sys$|^trace_events$|^repl$|^punycode$/.test(each))) {
    functionsIn(require(name), found, 4);
  }
  let compared = 0;
  for (const fn of found) {
    if (typeof fn !== 'function') continue;
    const source = Function.prototype.toString.call(fn);
    const syntax = source.endsWith('[native code] }') ? undefined : parsed(source);
    if (syntax?.params === undefined) continue;
    compared += 1;
    expect([source, namesOf(fn)]).toEqual([source, namesByParser(syntax)]);
  }
  expect(compared).toBeGreaterThan(1000);
});

const DEFAULTS = constantFrom(
  '',
  ' = 1',
  '=")"',
  " = ',('",
  ' = `${"`"},)`',
  ' = /[,)]/g',
  ' = 4 / 2',
  ' = [1, [2]]',
  ' = (a, b) => ({ a, b })',
  ' = function (x) { return /[}]/ }',
  ' = class { m(a) {} }',
  ' = /* , */ x++ / 2',
);
const BLANK = constantFrom('', ' ', '\n', '/* ) */', '// ,(\n', '\t/**/ ');
const NAME = constantFrom('first', 'second', 'größe', '$', '_', 'async', 'get', 'x', 'of', 'constructor', '\\u0061');
const PATTERN = constantFrom('{ a }', '[a, b]', '{ a: { b = ")" } }', '[, ...c]', '{ ...d }', '{}');
const HEAD = constantFrom('function f', 'async function f', 'function* f', 'async function* f', 'method');

const parameter = record({ name: option(NAME), pattern: PATTERN, initial: DEFAULTS, blank: BLANK, after: BLANK });

test('what is printed is read back', () => {
  let compared = 0;
  assert(
    property(HEAD, array(parameter, { maxLength: 6 }), boolean(), (head, list, hasRest) => {
      const restAt = hasRest ? list.length - 1 : -1;
      const texts = list.map(({ name, pattern, initial, blank, after }, index) => {
        const bare = `${blank}${index === restAt ? '...' : ''}${name ?? pattern}`;
        return `${bare}${index === restAt ? '' : initial}${after}`;
      });
      const source = `${head} (${texts.join(',')}) { return [")", /[(]/] }`;
      const fn = evaluateIfValid(source);
      if (fn === undefined) return;
      compared += 1;
      const names = list.map(({ name }) => (name === '\\u0061' ? 'a' : (name ?? undefined)));
      const unique = names.map((name, index) => (names.lastIndexOf(name) === index ? name : undefined));
      expect(parameterNames(fn)).toEqual({ names: unique, restAt });
    }),
    { numRuns: 1000 },
  );
  expect(compared).toBeGreaterThan(300);
});

/** Some lists are refused by the engine, as a name that comes twice beside a default. */
function evaluateIfValid(source: string): Function | undefined {
  try {
    return source.startsWith('method') ? evaluateMethod(source) : evaluate(source);
  } catch {
    return undefined;
  }
}

test('nothing throws and everything ends, whatever the text', () => {
  const pieces = constantFrom(
    ...'function async class extends constructor ( ) { } [ ] , ` ${ " \' / // /* */ => = . ? : \\ # a \n'.split(' '),
  );
  assert(
    property(array(pieces, { maxLength: 30 }), (parts) => {
      const toString = vi.spyOn(Function.prototype, 'toString').mockReturnValue(parts.join(' '));
      try {
        const { names, restAt } = parameterNames(() => 1);
        return names.length >= restAt;
      } finally {
        toString.mockRestore();
      }
    }),
    { numRuns: 2000 },
  );
});

test('the body is not looked at: time does not grow with it', () => {
  const body = 'x = 1 / 2;\n'.repeat(500_000);
  const large = evaluate(`function large(first, second = ")") {${body}}`);
  expect(Function.prototype.toString.call(large).length).toBeGreaterThan(5_000_000);
  // The text itself is made once and then kept by the engine.
  const started = performance.now();
  for (let round = 0; round < 1000; round++) expect(parameterNames(large).names).toHaveLength(2);
  const perCall = (performance.now() - started) / 1000;
  // Looking at all of it takes some 70 ms.
  expect(perCall).toBeLessThan(5);
});
