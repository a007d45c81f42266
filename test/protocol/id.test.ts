import { expect, test } from 'vitest';
import { isId, isObjectId, isProjectId, isThreadId, toObjectId } from '../../src/protocol/values/id.ts';

test('an id has 1 to 128 harmless characters and no slash', () => {
  for (const id of ['a', '0190a000-0000-7000-8000-000000000001', 'A.b_c~d:e@f-1', 'x'.repeat(128)])
    expect([id, isId(id)]).toEqual([id, true]);
  for (const id of ['', 'a b', 'a/b', 'ü', 'a\n', 'x'.repeat(129)]) expect([id, isId(id)]).toEqual([id, false]);
});

test('a thread id is any text of 1 to 1,024 characters', () => {
  for (const id of ['a/b c', 'a\nb', '\0', '😀'.repeat(1024)]) expect([id, isThreadId(id)]).toEqual([id, true]);
  for (const id of ['', '😀'.repeat(1025)]) expect([id, isThreadId(id)]).toEqual([id, false]);
});

test('a project id is an entity and a project', () => {
  for (const id of ['acme/demo', 'my team/dé mo', 'a/😀', `${'x'.repeat(128)}/p`])
    expect([id, isProjectId(id)]).toEqual([id, true]);
  for (const id of [
    '',
    'acme',
    'acme/',
    '/demo',
    'a/b/c',
    ' a/b',
    'a/b ',
    'a:b/c',
    'a%/b',
    'a?/b',
    'a#/b',
    'a\\/b',
    'a\0/b',
    'a/\ud800',
    '\udc00b/c',
    `${'x'.repeat(129)}/p`,
  ]) {
    expect([id, isProjectId(id)]).toEqual([id, false]);
  }
});

test('an object name is letters, digits, dots, dashes and underscores', () => {
  for (const name of ['a', 'Ünï_1.-', '名前', 'x'.repeat(128)]) expect([name, isObjectId(name)]).toEqual([name, true]);
  for (const name of ['', 'a b', 'a:b', 'a/b', '😀', 'x'.repeat(129)])
    expect([name, isObjectId(name)]).toEqual([name, false]);
});

test.each([
  ['my op', 'my-op'],
  ['Chat.complete', 'Chat.complete'],
  ['a  b//c', 'a-b-c'],
  ['a.._-b', 'a-b'],
  ['--a__', 'a'],
  ['<anonymous>', 'anonymous'],
  ['x'.repeat(200), 'x'.repeat(128)],
  ['!!!', ''],
])('%j becomes the object name %j', (text, name) => {
  expect(toObjectId(text)).toBe(name);
});
