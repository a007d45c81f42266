import { expect, test } from 'vitest';
import { givenText, previewText } from '../../../src/ui/format/preview.ts';

test.each([
  ['just a text', 'just a text'],
  ['{"ticket":7,"message":"Where is it?"}', 'Where is it?'],
  ['{"question":"say \\"no\\"\\nplease"}', 'say "no"\nplease'],
  // A preview ends somewhere.
  ['{"ticket":7,"message":"Where is', 'Where is'],
  ['{"message":"half an escape \\', 'half an escape '],
  // Nothing was said: the value itself.
  ['{"order":48211,"country":"DE"}', '{"order":48211,"country":"DE"}'],
  ['{"message":""}', '{"message":""}'],
  ['[1,2]', '[1,2]'],
])('of inputs one reads what was said: %s', (preview, shown) => {
  expect(previewText(preview)).toBe(shown);
});

test.each([
  ['{"order":48102}', 'order 48102'],
  ['{"order":48102,"gift":false,"note":null}', 'order 48102, gift false, note null'],
  ['{"to":["a"]}', '{"to":["a"]}'],
  ['{"order":48102,"note":"cut he', '{"order":48102,"note":"cut he'],
  ['{}', '{}'],
  ['a text', 'a text'],
  // As it was given, where a number of JavaScript is another, or members have another order.
  ['{"order":9007199254740993}', '{"order":9007199254740993}'],
  ['{"price":1.0}', '{"price":1.0}'],
  ['{"10":"a","2":"b"}', '{"10":"a","2":"b"}'],
  ['{"order": 48102, "note": "a  b"}', 'order 48102, note a  b'],
])('of what a tool was given one reads names and values: %s', (preview, shown) => {
  expect(givenText(preview)).toBe(shown);
});
