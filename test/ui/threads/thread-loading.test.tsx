import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ThreadLoading, ThreadUnread } from '../../../src/ui/threads/thread-loading.tsx';

afterEach(cleanup);

test('a thread that is read has its panes, with bars where its turns will be, and none once that was stopped', () => {
  const { container, rerender } = render(<ThreadLoading isStopped={false} />);
  const panes = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  const bars = () => container.querySelectorAll('[aria-hidden="true"] i').length;
  expect(panes()).toEqual(['Turns', 'Conversation', 'Turn']);
  expect(bars()).toBeGreaterThan(10);
  rerender(<ThreadLoading isStopped />);
  expect(panes()).toEqual(['Turns', 'Conversation', 'Turn']);
  expect(bars()).toBe(0);
  expect(screen.getByRole('status').textContent).toContain('Stopped reading the turns');
});

test('one that could not be read has its panes, and says in their place what will be there', () => {
  render(<ThreadUnread />);
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(3);
  expect(screen.getByText('Turns will be here once they can be read')).toBeTruthy();
});
