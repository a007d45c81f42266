import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CALLS, type CallsState, TRACE } from '../../../src/ui/address/pages.ts';
import { callPath, paths, servicePath } from '../../../src/ui/address/paths.ts';

const word = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => text.isWellFormed());
const column = word.filter((text) => text !== '' && !text.includes(','));

const states: fc.Arbitrary<CallsState> = fc.record({
  q: word,
  t: word,
  roots: fc.boolean(),
  cols: fc.array(column, { maxLength: 4 }),
  sort: word,
  view: word,
  sel: word,
  why: fc.boolean(),
  of: fc.array(column, { maxLength: 4 }),
  live: fc.boolean(),
});

test('what is written is read again', () => {
  fc.assert(
    fc.property(states, (state) => {
      expect(CALLS.read(CALLS.write('', state))).toEqual(state);
    }),
  );
});

test('keys that the page does not know stay', () => {
  fc.assert(
    fc.property(states, word, (state, value) => {
      const before = new URLSearchParams({ later: value }).toString();
      expect(new URLSearchParams(CALLS.write(before, state)).get('later')).toBe(value);
    }),
  );
});

test('defaults are left out, and a part that changes leaves the rest', () => {
  expect(CALLS.write('', CALLS.read(''))).toBe('');
  expect(CALLS.write('q=refund&roots=0', { roots: true })).toBe('q=refund');
  expect(CALLS.write('q=refund', { sel: 'c1' })).toBe('q=refund&sel=c1');
});

test('what cannot be read is the default', () => {
  expect(CALLS.read('roots=perhaps&live=').roots).toBe(true);
  expect(TRACE.read('as=cube&z=9,3')).toMatchObject({ as: 'tree', z: undefined });
  expect(TRACE.read('as=flame&z=3,9')).toMatchObject({ as: 'flame', z: [3, 9] });
});

test('an address is read by people: a filter stands in it nearly as it was typed', () => {
  expect(CALLS.write('', { q: 'op:answer latency>2s' })).toBe('q=op:answer+latency>2s');
});

test('paths escape what projects and ids may hold', () => {
  expect(paths.calls('acme/a b')).toBe('/acme/a%20b/calls');
  expect(callPath('acme/x', 't/1', 'c&1')).toBe('/acme/x/trace/t%2F1?call=c%261');
});

test('the service may lie below a path', () => {
  expect(servicePath('/ui/local/x/calls')).toBe('');
  expect(servicePath('/tools/spoor/ui')).toBe('/tools/spoor');
  expect(servicePath('/a/ui/ui/ui/calls')).toBe('/a');
});
