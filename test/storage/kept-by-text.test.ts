import { expect, test } from 'vitest';
import { keepByText } from '../../src/storage/values/kept-by-text.ts';

function counting(maxCharacters?: number) {
  const read: string[] = [];
  const keep = keepByText((text) => {
    read.push(text);
    return { text };
  }, maxCharacters);
  return { keep, read };
}

test('each of thousands of texts is read once, in whichever order they come', () => {
  const { keep, read } = counting();
  const texts = Array.from({ length: 2500 }, (_, index) => `${index}${'x'.repeat(800)}`);
  for (const text of [...texts, ...texts, ...texts.toReversed()]) expect(keep(text)).toEqual({ text });
  expect(read).toEqual(texts);
});

test('all literals of a query fit, in two texts as well', () => {
  const { keep, read } = counting();
  const texts = ['a'.repeat(1_000_000), 'b'.repeat(1_000_000)];
  for (const text of [...texts, ...texts]) keep(text);
  expect(read).toEqual(texts);
});

test('what was not asked for the longest goes first', () => {
  const { keep, read } = counting(1000);
  for (const text of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'b']) keep(text);
  expect(read).toEqual(['a', 'b', 'c', 'd', 'b']);
});

test('the newest text is kept even if it is longer than all that may be, alone', () => {
  const { keep, read } = counting(1000);
  const long = 'x'.repeat(5000);
  for (const text of ['a', long, long, 'a', long]) keep(text);
  expect(read).toEqual(['a', long, 'a', long]);
});
