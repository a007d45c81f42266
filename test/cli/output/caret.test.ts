import { expect, test } from 'vitest';
import { caretLines } from '../../../src/cli/output/caret.ts';

test('carets stand under the piece', () => {
  expect(caretLines('a stats:1', { offset: 2, length: 5 })).toBe('  a stats:1\n    ^^^^^');
});

test('a place without characters has one caret', () => {
  expect(caretLines('op:', { offset: 3, length: 0 })).toBe('  op:\n     ^');
});

test('wide characters take two columns, those that cannot be seen one', () => {
  expect(caretLines('退\u001b款 x', { offset: 4, length: 1 })).toBe('  退 款 x\n        ^');
});

test('of a long text the part around the place is shown', () => {
  const [line = '', carets = ''] = caretLines(`${'a'.repeat(100)}!${'b'.repeat(100)}`, {
    offset: 100,
    length: 1,
  }).split('\n');
  expect(line).toBe(`  …${'a'.repeat(60)}!${'b'.repeat(59)}…`);
  expect(carets.indexOf('^')).toBe(line.indexOf('!'));
});
