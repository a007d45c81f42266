import { expect, test } from 'vitest';
import { listText } from '../../../src/server/query/read/list-text.ts';

test('records become one list, as long as it may be', async () => {
  expect(await listText([])).toBe('[]');
  expect(await listText([['1', '{}'], [], ['"x"']], 9)).toBe('[1,{},"x"]');
});

test('a list that is longer is refused before the rest is read', async () => {
  let readCount = 0;
  async function* chunks() {
    for (; readCount < 100; readCount++) yield ['"some text"'];
  }
  await expect(listText(chunks(), 30)).rejects.toMatchObject({
    code: 'payload_too_large',
    message:
      'Cannot answer with all records at once: they take more than 30 characters: ask for them in pages, by limit and offset',
  });
  expect(readCount).toBe(2);
});
