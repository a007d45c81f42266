import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { CallFeedback } from '../../../src/ui/call/use-feedback.ts';
import { useGiving } from '../../../src/ui/call/use-giving.ts';

afterEach(cleanup);

test('who opens a form uses feedback, and who closes it does not', () => {
  const onUse = vi.fn<() => void>();
  const feedback = { key: 'local/app a', given: [], isOwn: () => true } as Partial<CallFeedback> as CallFeedback;
  const { result } = renderHook(() => useGiving(feedback, { onUse }));
  act(() => result.current.setOpen('note'));
  expect(onUse).toHaveBeenCalledTimes(1);
  act(() => result.current.setOpen(undefined));
  expect([onUse.mock.calls.length, result.current.open]).toEqual([1, undefined]);
});
