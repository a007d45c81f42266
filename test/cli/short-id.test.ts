import { expect, test } from 'vitest';
import { shortIds } from '../../src/cli/short-id.ts';

test('ids are told by their ends, as long as it takes', () => {
  const ids = [
    '01a213ecfffe7b55bae0cac8523364ee',
    '01a213ecfffe7b55bae0aac8523364ee',
    '01a213ecfffe7b55bae0cac85233ffff',
  ];
  const short = shortIds(ids);
  expect(ids.map(short)).toEqual(['cac8523364ee', 'aac8523364ee', '5233ffff']);
});

test('a short id stays whole, and so does one that is the end of another', () => {
  const ids = ['old-trace', 'a-very-long-name-of-a-trace', 'name-of-a-trace'];
  const short = shortIds(ids);
  expect(ids.map(short)).toEqual(['old-trace', '-name-of-a-trace', 'name-of-a-trace']);
});

test('an id that is there twice is no reason for a longer one', () => {
  const id = '01a213ecfffe7b55bae0cac8523364ee';
  expect(shortIds([id, id])(id)).toBe('523364ee');
});
