import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { JsonLineText } from '../../../src/ui/json/json-line-text.tsx';

afterEach(cleanup);

function shown(text: string): { readonly text: string; readonly colours: readonly string[] } {
  const { container } = render(<JsonLineText text={text} />);
  const pieces = [...container.querySelectorAll('span')];
  return {
    text: container.textContent,
    colours: pieces.map(({ className }) => /key|string|number|word|sign/.exec(className)?.[0] ?? ''),
  };
}

test('JSON in a line has the blanks and colours that it is read by', () => {
  expect(shown('{"at":"14:01","box":-1.7e3,"left":null,"by":["a","b"]}').text).toBe(
    '{ "at": "14:01", "box": -1.7e3, "left": null, "by": ["a", "b"] }',
  );
  expect(shown('{"a":"b","c":1,"d":true}').colours).toEqual(
    'sign key sign string sign key sign number sign key sign word sign'.split(' '),
  );
});

test.each([
  ['a text: { "a" }', 'a text: { "a" }'],
  ['{"status":"deli', '{ "status": "deli'],
  ['{"status":"a \\" b","n":1', '{ "status": "a \\" b", "n": 1'],
  ['{"to":{"_cut":true}…', '{ "to": { "_cut": true }…'],
  ['{"a":NaN, "b" : undefined}', '{ "a": NaN, "b": undefined }'],
  ['["\u202e<b>"]', '["⟨U+202E⟩<b>"]'],
])('whatever the text is, nothing of it is lost: %s', (text, line) => {
  expect(shown(text).text).toBe(line);
});
