import { expect, test } from 'vitest';
import { wrapped, wrappedWithin } from '../../../src/cli/output/wrapped.ts';

test('a sentence is broken between words, and what goes on is indented', () => {
  expect(wrapped('spoor: one two three', { room: 12 })).toEqual(['spoor: one', '  two three']);
  expect(wrapped('one two', { room: 3, indent: 0 })).toEqual(['one', 'two']);
  expect(wrapped('one two three', { room: Infinity })).toEqual(['one two three']);
});

test('what may be copied stays whole', () => {
  expect(wrapped('see http://127.0.0.1:7717/ui there', { room: 10 })).toEqual([
    'see',
    'http://127.0.0.1:7717/ui',
    '  there',
  ]);
  // Behind blanks its end would stand on a line of its own, and not be copied.
  const address = 'http://127.0.0.1:7717/ui';
  expect(wrapped(`see ${address}`, { room: 25 })).toEqual(['see', address]);
  expect(wrapped(`see ${address}`, { room: 26 })).toEqual(['see', `  ${address}`]);
});

test('colour takes no room, and wide characters take two columns', () => {
  expect(wrapped('\u001b[1mone\u001b[22m two', { room: 7 })).toEqual(['\u001b[1mone\u001b[22m two']);
  expect(wrapped('検索 検索', { room: 8, indent: 0 })).toEqual(['検索', '検索']);
});

test('in a drawing longer words are broken, too, and lines keep their blanks', () => {
  expect(wrappedWithin('  {"text": "abcdefghijklm"}', 12)).toEqual(['  {"text":', '  "abcdefghi', '  jklm"}']);
  expect(wrappedWithin('検索検索検索', 8)).toEqual(['検索検索', '検索']);
  expect(wrappedWithin('', 8)).toEqual(['']);
  expect(wrappedWithin('  any  text', Infinity)).toEqual(['  any  text']);
});
