import { expect, test } from 'vitest';
import { itemsNamedIn } from '../../src/protocol/values/named-items.ts';

test('items are named by the third part of a location, each once', () => {
  const detail = [
    { loc: ['body', 'batch', 17, 'req', 'start', 'thread_id'], msg: 'too long', type: 'x' },
    { loc: ['body', 'batch', 17, 'req', 'start', 'id'], msg: 'missing', type: 'x' },
    { loc: ['body', 'batch', 2] },
  ];
  expect([...itemsNamedIn(detail, 'batch')]).toEqual([
    [17, { message: 'too long', type: 'x' }],
    [2, { message: 'invalid', type: undefined }],
  ]);
});

test.each([
  undefined,
  null,
  'batch',
  {},
  [null, 1, {}, { loc: 'batch' }],
  [{ loc: ['body'] }, { loc: ['body', 'batch'] }, { loc: ['body', 'batch', '1'] }, { loc: ['body', 'batch', 1.5] }],
  [{ loc: ['query', 'batch', 1] }, { loc: ['body', 'calls', 1] }],
])('%j names none', (detail) => {
  expect(itemsNamedIn(detail, 'batch').size).toBe(0);
});
