import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatCallRef,
  formatObjectRef,
  formatRef,
  isRef,
  opNameOf,
  parseRef,
  type RefParts,
} from '../../src/protocol/ref.ts';

const DIGEST = '08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM';
const TABLE = '23e33f79a2e3de551c0200d4baa78b9fea8e28478367d5ac48bfca009c99e6f3';
const head = { entity: 'acme', project: 'demo', extra: [] };

test.each<[text: string, parts: RefParts]>([
  [`svc:///acme/demo/object/settings:${DIGEST}`, { ...head, kind: 'object', name: 'settings', version: DIGEST }],
  ['svc:///acme/demo/op/predict:latest', { ...head, kind: 'op', name: 'predict', version: 'latest' }],
  ['svc:///acme/demo/op/predict:v3', { ...head, kind: 'op', name: 'predict', version: 'v3' }],
  ['svc:///acme/demo/op/predict:*', { ...head, kind: 'op', name: 'predict', version: '*' }],
  ['svc:///acme/demo/object/Ünï-1_.:alias', { ...head, kind: 'object', name: 'Ünï-1_.', version: 'alias' }],
  ['svc:///acme/demo/call/0190a000-0000', { ...head, kind: 'call', id: '0190a000-0000' }],
  ['svc:///acme/demo/call/a:b@c~d._-', { ...head, kind: 'call', id: 'a:b@c~d._-' }],
  [`svc:///acme/demo/table/${TABLE}`, { ...head, kind: 'table', digest: TABLE }],
  [
    `svc:///acme/demo/table/${TABLE}/id/${DIGEST}`,
    { ...head, kind: 'table', digest: TABLE, extra: [{ edge: 'id', value: DIGEST }] },
  ],
  [
    `svc:///acme/demo/object/qa:${DIGEST}/attr/rows/id/${DIGEST}/key/q%2F%20%C3%BC/index/0`,
    {
      ...head,
      kind: 'object',
      name: 'qa',
      version: DIGEST,
      extra: [
        { edge: 'attr', value: 'rows' },
        { edge: 'id', value: DIGEST },
        { edge: 'key', value: 'q/ ü' },
        { edge: 'index', value: '0' },
      ],
    },
  ],
  ['svc:///my%20team/d%C3%A9mo/call/c', { ...head, entity: 'my team', project: 'démo', kind: 'call', id: 'c' }],
])('%s is read and printed', (text, parts) => {
  expect(parseRef(text)).toEqual(parts);
  expect(formatRef(parts).replace(/%C3%9Cn%C3%AF/, 'Ünï')).toBe(text);
  expect(isRef(text)).toBe(true);
});

test('what should have been encoded is accepted, and so is one trailing slash', () => {
  expect(parseRef('svc:///my team/démo/call/c/')).toEqual({
    ...head,
    entity: 'my team',
    project: 'démo',
    kind: 'call',
    id: 'c',
  });
});

test.each([
  ['another scheme', 'http://acme/demo/call/c'],
  ['another scheme of ours', 'svc-internal:///acme/demo/call/c'],
  ['nothing', 'svc:///'],
  ['a missing part', 'svc:///acme/demo/call'],
  ['an empty part', 'svc:///acme//call/c'],
  ['an unknown kind', 'svc:///acme/demo/thing/c'],
  ['an object without version', 'svc:///acme/demo/object/x'],
  ['an empty version', 'svc:///acme/demo/object/x:'],
  ['two versions', 'svc:///acme/demo/object/x:1:2'],
  ['an empty name', 'svc:///acme/demo/op/:1'],
  ['a name that is none', 'svc:///acme/demo/op/a b:1'],
  ['a call id that is none', 'svc:///acme/demo/call/a b'],
  ['a table digest that is none', 'svc:///acme/demo/table/abc'],
  ['an edge without value', `svc:///acme/demo/object/x:1/attr`],
  ['an unknown edge', 'svc:///acme/demo/object/x:1/member/a'],
  ['an index that is no number', 'svc:///acme/demo/object/x:1/index/a'],
  ['a negative index', 'svc:///acme/demo/object/x:1/index/-1'],
  ['a table with a key', `svc:///acme/demo/table/${TABLE}/key/a`],
  ['a table with two rows', `svc:///acme/demo/table/${TABLE}/id/a/id/b`],
  ['broken percent-encoding', 'svc:///acme/demo/object/x:1/key/%zz'],
  ['an entity with a slash in it', 'svc:///a%2Fb/demo/call/c'],
])('%s is no reference', (_name, text) => {
  expect(() => parseRef(text)).toThrow(/^Cannot read reference/);
  expect(isRef(text)).toBe(false);
});

test('every reference that can be built is read back as its parts', () => {
  const part = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => !/[/:%?#\\\p{Cc}]|^ | $/u.test(text) && text.isWellFormed());
  const value = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed());
  const step = fc.oneof(
    fc.record({ edge: fc.constantFrom('attr' as const, 'key' as const, 'id' as const), value }),
    fc.record({ edge: fc.constant('index' as const), value: fc.nat().map(String) }),
  );
  const parts = fc.record({
    kind: fc.constantFrom('op' as const, 'object' as const),
    entity: part,
    project: part,
    name: fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/),
    version: fc.stringMatching(/^[A-Za-z0-9]{1,43}$/),
    extra: fc.array(step, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(parts, (ref) => {
      expect(parseRef(formatRef(ref))).toEqual(ref);
    }),
  );
});

test('references of a project are made from its id', () => {
  expect(formatObjectRef('acme/my demo', 'op', 'f', 'v1')).toBe('svc:///acme/my%20demo/op/f:v1');
  expect(formatCallRef("a'b/c", 'id')).toBe('svc:///a%27b/c/call/id');
});

test('the name of an op is the name in its reference, or the text itself', () => {
  expect(opNameOf(`svc:///acme/demo/op/predict:${DIGEST}`)).toBe('predict');
  expect(opNameOf('predict')).toBe('predict');
  expect(opNameOf('svc:///acme/demo/call/c')).toBe('svc:///acme/demo/call/c');
  expect(opNameOf('svc:///broken')).toBe('svc:///broken');
});
