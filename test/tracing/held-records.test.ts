import { expect, test } from 'vitest';
import { heldRecords, writeWhenRead } from '../../src/tracing/record/held-records.ts';

test('a record whose content cannot be read is written without it, and nobody hears of a rejection', async () => {
  const rejections: unknown[] = [];
  const note = (error: unknown) => void rejections.push(error);
  process.on('unhandledRejection', note);
  try {
    const written: string[] = [];
    writeWhenRead(Promise.reject(new Error('It has gone')), 10, () => written.push('one'));
    await heldRecords();
    await new Promise((resolve) => setImmediate(resolve));
    expect([written, rejections, heldRecords()]).toEqual([['one'], [], undefined]);
  } finally {
    process.off('unhandledRejection', note);
  }
});
