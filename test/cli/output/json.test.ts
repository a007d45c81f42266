import { expect, test } from 'vitest';
import { toJsonText } from '../../../src/cli/output/json.ts';

test('JSON holds no character that a terminal acts on, and reads back the same', () => {
  const value = { text: '\u001b[2J\u009b31m\u007f\u202e\u2028 é検索👍' };
  const text = toJsonText(value);
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
  expect(text).toContain('é検索👍');
  expect(JSON.parse(text)).toEqual(value);
});
