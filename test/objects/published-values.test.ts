import { expect, test } from 'vitest';
import { recall, remember } from '../../src/objects/published-values.ts';

test('small values are not kept by the million: their references need memory too', () => {
  for (let n = 0; n < 100_000; n++) remember(`ref ${n}`, n, 2);
  expect(recall('ref 0')).toBeUndefined();
  expect(recall('ref 90000')).toMatchObject({ value: 90_000 });
});
