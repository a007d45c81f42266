// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { QueryObject } from '../../../src/protocol/query.ts';
import type { CallRow } from '../../../src/ui/data/answers.ts';
import { useMetQueries } from '../../../src/ui/data/met-queries.ts';
import { tellTouched } from '../../../src/ui/data/touched-calls.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ROWS = ['a', 'b'].map((id) => ({ id, ended_at: null, name: 'op' }) as CallRow);
const QUERIES: readonly QueryObject[] = [{ $expr: { $eq: [{ $getField: 'feedback.score' }, { $literal: 1 }] } }];

test('a call that got feedback is asked about again, and counts as before until there is an answer', async () => {
  const asked: string[] = [];
  let met: readonly string[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    const { filter } = JSON.parse(body as string) as { readonly filter: { readonly call_ids: readonly string[] } };
    asked.push(filter.call_ids.join());
    return Response.json({ rows: met.map((id) => ({ id })), next_cursor: null });
  });
  const { result } = renderHook(() => useMetQueries('local/app', ROWS, QUERIES));
  const meet = () => ROWS.flatMap((row) => QUERIES.map((query) => result.current.meets(row, query)));
  await waitFor(() => expect(meet()).toEqual([false, false]));
  met = ['b'];
  act(() => tellTouched('local/app', ['b', 'elsewhere']));
  expect(meet()).toEqual([false, false]);
  await waitFor(() => expect(meet()).toEqual([false, true]));
  expect(asked).toEqual(['a,b', 'b']);
});
