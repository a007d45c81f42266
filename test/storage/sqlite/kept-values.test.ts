import { expect, test } from 'vitest';
import { KeptValues } from '../../../src/storage/sqlite/read/kept-values.ts';

const LONG = [
  JSON.stringify('x'.repeat(5000)),
  '7'.repeat(5000),
  `[${'1.0,'.repeat(2000)}2]`,
  `{"a":"${'y'.repeat(2000)}"}`,
];

test.each(['1', '"x"', 'null', '[1,2]', '"\\u0001"'])('a short text stands for itself: %s', (text) => {
  const values = new KeptValues();
  expect(values.keep(text)).toBe(text);
  expect(values.valueOf(text)).toEqual(JSON.parse(text));
});

test('what stands for a long value is short, and is the same value each time', () => {
  const values = new KeptValues();
  const kept = LONG.map((text) => values.keep(text));
  for (const [index, text] of LONG.entries()) {
    const [name = '', alone] = [kept[index], new KeptValues()];
    expect(name.length).toBeLessThan(20);
    expect(values.valueOf(name)).toEqual(alone.valueOf(text));
    expect(values.valueOf(name)).toBe(values.valueOf(name));
    expect(values.textOf(values.valueOf(name))).toBe(alone.textOf(alone.valueOf(text)));
  }
});

test.each([17, 100, 5000])('of %i values that are kept one after the other the last eight are there', (count) => {
  const values = new KeptValues();
  const names = Array.from({ length: count }, (_, index) => values.keep(`[${index},"${'z'.repeat(2000)}"]`));
  for (const [index, name] of names.slice(-8).entries()) {
    expect(values.valueOf(name)).toEqual([count - 8 + index, 'z'.repeat(2000)]);
  }
  expect(() => values.valueOf(names[0] ?? '')).toThrow('let go');
});

test('when they are let go, none is taken for another', () => {
  const values = new KeptValues();
  const name = values.keep(LONG[0] ?? '');
  values.letGo();
  expect(() => values.valueOf(name)).toThrow('let go');
});
