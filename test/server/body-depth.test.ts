import { expect, test } from 'vitest';
import { cutBelow, measureDepth } from '../../src/server/body-depth.ts';

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
