// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useCallRow } from '../../../src/ui/data/call-rows.ts';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('an id that was looked up before its call came is found when it is looked up again', async () => {
  let rows: readonly object[] = [];
  vi.stubGlobal('fetch', async () => Response.json({ rows }));
  const client = createQueryClient(() => undefined);
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const first = renderHook(() => useCallRow('local/app', 'late'), { wrapper });
  await waitFor(() => expect(first.result.current.data).toBeNull());
  first.unmount();
  rows = [{ id: 'late' }];
  const again = renderHook(() => useCallRow('local/app', 'late'), { wrapper });
  await waitFor(() => expect(again.result.current.data).toEqual({ id: 'late' }));
});
