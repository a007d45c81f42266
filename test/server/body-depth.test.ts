import { expect, test } from 'vitest';
import { parseJson, parsePlainJson } from '../../src/protocol/values/json.ts';
import { cutBelow, measureDepth } from '../../src/server/http/body/body-depth.ts';
import { surveyAtOnce } from '../../src/server/http/body/body-survey.ts';

const depthOf = (text: string) => measureDepth(Buffer.from(text));
const cut = (text: string, levels: number) => cutBelow(Buffer.from(text), levels).toString();

test('the depth of a text is the number of containers around its innermost value', () => {
  expect(depthOf('1')).toBe(0);
  expect(depthOf('{}')).toBe(1);
  expect(depthOf('[1,{"a":[2]},[3]]')).toBe(3);
});

test('brackets inside of strings count for nothing', () => {
  expect(depthOf('["[[[{{", "\\"[[", "\\\\"]')).toBe(1);
});

test('what lies deeper than the levels kept becomes an empty array', () => {
  expect(cut('{"a":[1,{"b":[2,[3]]},4],"c":5}', 2)).toBe('{"a":[1,[],4],"c":5}');
  expect(cut('[[["]"]],[[1],[2]]]', 2)).toBe('[[[]],[[],[]]]');
  expect(cut('[1,[2]]', 2)).toBe('[1,[2]]');
});

test('a string ends at its own quote, however long it is and whatever is escaped', () => {
  for (let length = 0; length < 100; length++) {
    for (const end of ['', '\\"', '\\\\', '\\\\\\"[', '"', '\\']) {
      const text = `[${JSON.stringify('x'.repeat(length) + end)}, [1]]`;
      expect([text, depthOf(text)]).toEqual([text, 2]);
    }
  }
  expect(depthOf(`["${'x'.repeat(90)}[[[`)).toBe(1);
  expect(depthOf('["\\')).toBe(1);
});

test.each([
  '1.0',
  '-0.5',
  '1e5',
  '[1E+5]',
  '{"a":1234567890123456}',
  '1e400',
  '"\\ud800"',
  '["\\u0041"]',
  '-0.0',
  '2.50',
])('the numbers or texts of %s need care', (text) => {
  expect(surveyAtOnce(Buffer.from(text)).isPlain).toBe(false);
});

test.each([
  '1',
  '-0',
  '[123456789012345,-12,{"e":1,"1e5":true,"b":false}]',
  '"1.5 \\n \\" 1e5"',
  '[1,2]',
  '{"a":"é😀"}',
])('%s is plain, so the quick parser reads the same', (text) => {
  expect(surveyAtOnce(Buffer.from(text)).isPlain).toBe(true);
  expect(parsePlainJson(text)).toStrictEqual(parseJson(text));
});
