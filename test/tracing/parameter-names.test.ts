import { expect, test } from 'vitest';
import { parameterNames } from '../../src/tracing/parameter-names.ts';

/** From source text, because the compiler of the tests would rewrite functions written here. */
function namesIn(source: string): unknown {
  // oxlint-disable-next-line typescript/no-implied-eval
  const fn: unknown = new Function(`return (${source})`)();
  const { names, restAt } = parameterNames(fn as Function);
  return restAt === -1 ? names : [...names, restAt];
}

function namesOfMethod(source: string): unknown {
  // oxlint-disable-next-line typescript/no-implied-eval
  const object: unknown = new Function(`return Object.values({ ${source} })[0]`)();
  return parameterNames(object as Function).names;
}

test.each([
  ['function f() {}', []],
  ['function f(first, second) {}', ['first', 'second']],
  ['function f(first, second,) {}', ['first', 'second']],
  ['function f(a, b) {}', ['a', 'b']],
  ['async function f(first) {}', ['first']],
  ['function* f(first) {}', ['first']],
  ['async function* named (first) {}', ['first']],
  ['(first, second) => 1', ['first', 'second']],
  ['first => 1', ['first']],
  ['async first => 1', ['first']],
  ['async (first) => 1', ['first']],
  ['() => (1, 2)', []],
  ['function f(first = "a,b)", second = [1, 2], third = { a: (1, 2) }) {}', ['first', 'second', 'third']],
  ['function f(first = `a${(1, ")")},`, second) {}', ['first', 'second']],
  ['function f({ a, b }, [c, d] = [], last) {}', [undefined, undefined, 'last']],
  ['function f(first, ...others) {}', ['first', 'others', 1]],
  ['function f(/* first, */ second, // third, )\n fourth /* = 5 */) {}', ['second', 'fourth']],
  ['function /* (x) */ f(first) {}', ['first']],
  ['function f(größe, $dollar, _under, \u4e2d) {}', ['größe', '$dollar', '_under', '\u4e2d']],
  ['class { constructor(first, second = (1, 2)) {} }', ['first', 'second']],
  ['class { other(x) { this.constructor(1); } constructor(first) {} }', ['first']],
  ['class { "constructor"() {} static constructor(wrong) {} }', []],
  ['class { method(wrong) {} }', []],
  ['Math.max', []],
  ['(function () {}).bind(null)', []],
  ['function a(b,c){return b+c}', []],
  ['a=>a', ['a']],
  ['(e,t)=>e+t', ['e', 't']],
])('%s', (source, expected) => {
  expect(namesIn(source)).toEqual(expected);
});

test.each([
  ['method(first, second) {}', ['first', 'second']],
  ['async method(first) {}', ['first']],
  ['*method(first) {}', ['first']],
  ['async *method(first) {}', ['first']],
  ['["com(puted" + (1)](first) {}', ['first']],
  ['"quoted(name)"(first) {}', ['first']],
])('%s', (source, expected) => {
  expect(namesOfMethod(source)).toEqual(expected);
});
