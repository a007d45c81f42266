import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { loadNewCalls } from '../../../src/ui/calls/load-new-calls.tsx';
import { latePart } from '../../../src/ui/controls/late-part.tsx';

afterEach(cleanup);

const STATS = { data: undefined, isOld: false, error: null, refetch: () => undefined };

test('what tells of new calls and cannot be loaded takes no place in the page, and is said to who listens', async () => {
  const NewCalls = latePart(() =>
    loadNewCalls(async () => {
      throw new Error('The file is there no more');
    }),
  );
  const page = render(<NewCalls stats={STATS} />);
  const told = await page.findByRole('status');
  expect(told.className).toBe('vh');
  expect(told.textContent).toBe('New calls are not told: The file is there no more');
  expect(page.queryByRole('button')).toBeNull();
});

test('what tells of new calls is there once it is loaded', async () => {
  const NewCalls = latePart(() => loadNewCalls());
  const page = render(<NewCalls stats={STATS} />);
  expect((await page.findByRole('status', { name: 'New calls' })).textContent).toBe('');
});
