import { expect, onTestFinished, test, vi } from 'vitest';
import { KeptValues } from '../../../src/storage/sqlite/read/kept-values.ts';

const LONG = [
  JSON.stringify('x'.repeat(5000)),
  '7'.repeat(5000),
  `[${'1.0,'.repeat(2000)}2]`,
  `{"a":"${'y'.repeat(2000)}"}`,
];

test.each(['1', '"x"', 'null', '[1,2]', '"\\u0001"'])('a short text stands for itself: %s', (text) => {
  const values = new KeptValues();
  expect(values.keep(text, 0)).toBe(text);
  expect(values.valueOf(text)).toEqual(JSON.parse(text));
});

test('what stands for a long value is short, and is the same value each time', () => {
  const values = new KeptValues();
  const kept = LONG.map((text) => values.keep(text, 0));
  for (const [index, text] of LONG.entries()) {
    const [name = '', alone] = [kept[index], new KeptValues()];
    expect(name.length).toBeLessThan(20);
    expect(values.valueOf(name)).toEqual(alone.valueOf(text));
    expect(values.valueOf(name)).toBe(values.valueOf(name));
    expect(values.textOf(values.valueOf(name))).toBe(alone.textOf(alone.valueOf(text)));
  }
});

test.each([2, 17, 100, 5000])(
  'of %i records, the values of the last one are there, and those of the record around them',
  (count) => {
    const values = new KeptValues();
    const around = values.keep(`["around","${'z'.repeat(2000)}"]`, 0);
    const names = Array.from({ length: count }, (_, index) => {
      values.letGoAt(1);
      return [0, 1].map((field) => values.keep(`[${index},${field},"${'z'.repeat(2000)}"]`, 1));
    });
    expect(names.at(-1)?.map((name) => values.valueOf(name))).toEqual([
      [count - 1, 0, 'z'.repeat(2000)],
      [count - 1, 1, 'z'.repeat(2000)],
    ]);
    expect(values.valueOf(around)).toEqual(['around', 'z'.repeat(2000)]);
    expect(() => values.valueOf(names[0]?.[0] ?? '')).toThrow('let go');
  },
);

test('no more characters are kept than a body has, but for the first value', () => {
  const values = new KeptValues();
  const text = (megabytes: number) => JSON.stringify('x'.repeat(megabytes * 1024 * 1024));
  const isKept = (token: string) => values.keep(token, 0) !== token;
  expect(isKept(text(20))).toBe(true);
  expect(isKept(text(1))).toBe(false);
  values.letGo();
  expect([10, 5, 5, 0.5].map((megabytes) => isKept(text(megabytes)))).toEqual([true, true, false, true]);
});

test('when they are let go, none is taken for another', () => {
  const values = new KeptValues();
  const name = values.keep(LONG[0] ?? '', 0);
  values.letGo();
  expect(() => values.valueOf(name)).toThrow('let go');
});

test.each(LONG)('a long text that nothing stands for is read once, too, while it is asked for again', (text) => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const values = new KeptValues();
  const first = values.valueOf(text);
  const count = parse.mock.calls.length;
  for (let times = 0; times < 100; times++) expect(values.valueOf(text)).toBe(first);
  expect(parse).toHaveBeenCalledTimes(count);
});
