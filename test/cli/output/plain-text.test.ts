import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, toLine, toPlainText } from '../../../src/cli/output/plain-text.ts';

test.each([
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['cursor movements', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
  ['window titles', '\u001b]0;evil\u0007text', 'text'],
  ['links', '\u001b]8;;http://evil\u001b\\text\u001b]8;;\u001b\\', 'text'],
  ['clipboard writes without an end', 'a\u001b]52;c;ZXZpbA==', 'a'],
  ['device strings', '\u001bPq#0\u001b\\x', 'x'],
  ['eight-bit sequences', '\u009b31mred\u009d0;t\u009c!', 'red!'],
  ['two-character sequences', '\u001bcreset \u001b(Bcharset', 'reset charset'],
  ['a lone escape at the end', 'a\u001b', 'a'],
  ['bells, backspaces, deletes', 'a\u0007\b\u007fb', 'ab'],
  ['carriage returns that overwrite', 'real\rfake', 'realfake'],
  ['reordering', 'a\u202eb\u2066c\u200fd', 'abcd'],
  ['line separators', 'a\u2028b', 'ab'],
])('%s are taken out', (_what, text, expected) => {
  expect(toPlainText(text)).toBe(expected);
});

test('letters, line breaks and emoji stay', () => {
  expect(toPlainText('é 検索 👍🏽\r\n\tb')).toBe('é 検索 👍🏽\n  b');
});

test('no text keeps a control character', () => {
  const hostile = fc.array(
    fc.constantFrom('\u001b', '[', ']', '31m', '\u009b', '\u0007', '\\', 'a', ';', '\r', '\u202e'),
  );
  fc.assert(
    fc.property(hostile, (parts) => {
      // oxlint-disable-next-line no-control-regex
      expect(toPlainText(parts.join(''))).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }),
  );
});

test('a line is one line, cut where it is too long', () => {
  expect(toLine(' a\r\nb\n\nc ')).toBe('a b c');
  expect(toLine('abcdef', 4)).toBe('abc…');
  expect(toLine('abcd', 4)).toBe('abcd');
});

test('width counts columns, not characters', () => {
  expect(displayWidth('abc')).toBe(3);
  expect(displayWidth('検索')).toBe(4);
  expect(displayWidth('e\u0301')).toBe(1);
  expect(displayWidth('👍')).toBe(2);
});
