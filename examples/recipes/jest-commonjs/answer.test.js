const { answer } = require('./answer');

test('an answer is made of pages', async () => {
  expect(await answer('tracks')).toBe('a page on tracks');
});
