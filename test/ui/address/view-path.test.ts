import { expect, test } from 'vitest';
import { viewPath } from '../../../src/ui/address/view-path.ts';

test('a saved view is opened with its filter and the columns that it was saved with', () => {
  const view = { query: 'q=status:error&roots=0&cols=op', columns: ['op', 'model', 'thread'] };
  expect(viewPath('local/app', view)).toBe('/local/app/calls?q=status:error&roots=0&cols=op,model,thread');
  expect(viewPath('local/app', { query: 'q=refund', columns: [] })).toBe('/local/app/calls?q=refund');
  expect(viewPath('local/app', { query: 'view=other&q=a', columns: [] })).toBe('/local/app/calls?q=a');
});
