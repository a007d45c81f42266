import { expect, test } from 'vitest';
import { rememberPassed } from '../../src/server/http/body/known-texts.ts';

test('a text that passed is not checked again, one that did not is', () => {
  const checked: string[] = [];
  const check = rememberPassed((text) => {
    checked.push(text);
    return text !== 'bad';
  });
  expect(['a', 'a', 'bad', 'bad', 'a'].map(check)).toEqual([true, true, false, false, true]);
  expect(checked).toEqual(['a', 'bad', 'bad']);
});

test('what is remembered has a bound', () => {
  let count = 0;
  const check = rememberPassed(() => (count += 1) > 0);
  for (let index = 0; index < 5000; index++) check(`text ${index}`);
  for (let index = 0; index < 5000; index++) check(`text ${index}`);
  expect(count).toBe(10_000);
  check('x'.repeat(1000));
  check('x'.repeat(1000));
  expect(count).toBe(10_002);
});
