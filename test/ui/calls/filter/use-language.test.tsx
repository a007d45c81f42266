import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(cleanup);

test('what reads filters says that it could not be loaded, and is loaded when it is asked for again', async () => {
  // Another one may have been loaded before in this process.
  vi.resetModules();
  const { useLanguage } = await import('../../../../src/ui/calls/filter/use-language.ts');
  const filterLanguage = await import('../../../../src/ui/calls/filter/filter-language.ts');
  let isAway = true;
  const load = () => (isAway ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(filterLanguage));
  const { result } = renderHook(() => useLanguage(true, load));
  await waitFor(() => expect(result.current.error?.message).toMatch(/^the service does not answer/));
  isAway = false;
  act(() => result.current.retry());
  await waitFor(() => expect(result.current.language?.parseFilter('a')).toBeDefined());
  expect(result.current.error).toBeUndefined();
});
