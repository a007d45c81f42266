import { expect, test } from 'vitest';
import { readRetention } from '../../src/cli/option-value.ts';

test('rules of projects are read from pairs of projects and days', () => {
  expect(readRetention('acme/demo=7, acme/half=0.5,acme/kept=all')).toEqual({
    'acme/demo': { days: 7 },
    'acme/half': { days: 0.5 },
    'acme/kept': {},
  });
});

test('rules of projects are read from an object', () => {
  const rules = { 'acme/demo': { days: 7, bytes: 1000 }, 'acme/kept': {} };
  expect(readRetention({ ...rules, 'acme/all': 'all' })).toEqual({ ...rules, 'acme/all': {} });
});

test.each([
  ['acme/demo', '"acme/demo" is not of the form key=number.'],
  ['demo=7', '"demo" is not of the form entity/project.'],
  ['acme/demo=0', 'It is not a number above 0.'],
  [{ 'acme/demo': { weeks: 1 } }, 'There is no "weeks" in the rule of "acme/demo".'],
  [{ 'acme/demo': { bytes: 1.5 } }, 'It is not a whole number above 0.'],
  [{ 'acme/demo': 7 }, 'It is not an object.'],
  [7, 'It is not an object.'],
])('%j is no rule', (value, sentence) => {
  expect(() => readRetention(value)).toThrow(sentence);
});
