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
const QUERY: QueryObject = { $expr: { $eq: [{ $getField: 'feedback.score' }, { $literal: 1 }] } };
const QUERIES = [QUERY];

test('a call that got feedback is asked about again, and counts as before until there is an answer', async () => {
  const asked: string[] = [];
  let met: readonly string[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    const { filter } = JSON.parse(body as string) as { readonly filter: { readonly call_ids: readonly string[] } };
    asked.push(filter.call_ids.join());
    return Response.json({ rows: met.map((id) => ({ id })), next_cursor: null });
  });
  const { result } = renderHook(() => useMetQueries({ project: 'local/app', rows: ROWS, queries: QUERIES }));
  const meet = () => ROWS.flatMap((row) => QUERIES.map((query) => result.current.meets(row, query)));
  await waitFor(() => expect(meet()).toEqual([false, false]));
  met = ['b'];
  act(() => tellTouched('local/app', ['b', 'elsewhere']));
  expect(meet()).toEqual([false, false]);
  await waitFor(() => expect(meet()).toEqual([false, true]));
  expect(asked).toEqual(['a,b', 'b']);
});

/** The service answers a question once it is told to, with the ids that meet it; an error refuses it. */
function heldService() {
  const asked: string[] = [];
  const waiting: ((answer: readonly string[] | Error) => void)[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    const { filter } = JSON.parse(body as string) as { readonly filter: { readonly call_ids: readonly string[] } };
    asked.push(filter.call_ids.length > 2 ? `${filter.call_ids.length} calls` : filter.call_ids.join());
    const met = await new Promise<readonly string[] | Error>((resolve) => waiting.push(resolve));
    if (met instanceof Error) return Response.json({ reason: met.message, error_code: 'forbidden' }, { status: 403 });
    return Response.json({ rows: met.map((id) => ({ id })), next_cursor: null });
  });
  const answer = async (met: readonly string[] | Error): Promise<void> =>
    await act(async () => {
      waiting.shift()?.(met);
      // An answer is read in a few steps, and makes the next question.
      for (let step = 0; step < 20; step++) await Promise.resolve();
    });
  return { asked, answer };
}

test('an answer of before a call was touched counts until the newer one is there, and never after it', async () => {
  const { asked, answer } = heldService();
  const { result } = renderHook(() => useMetQueries({ project: 'local/app', rows: ROWS, queries: QUERIES }));
  const meet = () => ROWS.flatMap((row) => QUERIES.map((query) => result.current.meets(row, query)));
  act(() => tellTouched('local/app', ['b']));
  // Asked before it was touched, and not asked twice at once.
  expect(asked).toEqual(['a,b']);
  await answer([]);
  await waitFor(() => expect(asked).toEqual(['a,b', 'b']));
  expect(meet()).toEqual([false, false]);
  await answer(['b']);
  await waitFor(() => expect(meet()).toEqual([false, true]));
  expect(asked).toHaveLength(2);
});

test('many calls and several queries are asked about one after another', async () => {
  const { asked, answer } = heldService();
  const many = Array.from({ length: 450 }, (_, index) => ({ id: `${index}`, ended_at: null, name: 'op' }) as CallRow);
  const queries: QueryObject[] = [QUERY, { $expr: { $eq: [{ $getField: 'inputs.a' }, { $literal: 1 }] } }];
  renderHook(() => useMetQueries({ project: 'local/app', rows: many, queries }));
  const expected = ['200 calls', '200 calls', '50 calls', '200 calls', '200 calls', '50 calls'];
  for (let count = 1; count <= expected.length; count++) {
    await waitFor(() => expect(asked).toEqual(expected.slice(0, count)));
    await answer([]);
  }
  expect(asked).toEqual(expected);
  // Only one of the queries is about feedback.
  act(() => tellTouched('local/app', ['7', '9']));
  await answer(['7']);
  expect(asked.slice(expected.length)).toEqual(['7,9']);
});

test('after an error nothing is asked until it is tried again, then what was touched meanwhile as well', async () => {
  const { asked, answer } = heldService();
  const { result } = renderHook(() => useMetQueries({ project: 'local/app', rows: ROWS, queries: QUERIES }));
  await answer([]);
  act(() => tellTouched('local/app', ['a']));
  await answer(new Error('not your project'));
  await waitFor(() => expect(result.current.error?.message).toBe('not your project'));
  act(() => tellTouched('local/app', ['b']));
  expect(asked).toEqual(['a,b', 'a']);
  act(() => result.current.retry());
  await waitFor(() => expect(asked).toEqual(['a,b', 'a', 'a,b']));
  await answer(['a', 'b']);
  expect(ROWS.map((row) => result.current.meets(row, QUERY))).toEqual([true, true]);
});

test('while rows are held a former answer counts; what was touched meanwhile is asked about after that', async () => {
  const { asked, answer } = heldService();
  const { result, rerender } = renderHook(
    ({ isHeld }) => useMetQueries({ project: 'local/app', rows: ROWS, queries: QUERIES, isHeld }),
    { initialProps: { isHeld: true } },
  );
  // What nobody has asked about yet is asked about.
  await answer(['a', 'b']);
  act(() => tellTouched('local/app', ['a']));
  act(() => tellTouched('local/app', ['b']));
  expect(asked).toEqual(['a,b']);
  expect(ROWS.map((row) => result.current.meets(row, QUERY))).toEqual([true, true]);
  rerender({ isHeld: false });
  expect(asked).toEqual(['a,b', 'a,b']);
  await answer([]);
  expect(ROWS.map((row) => result.current.meets(row, QUERY))).toEqual([false, false]);
});

test('what is touched while another filter is set is asked about when the former one is set again', async () => {
  const { asked, answer } = heldService();
  const OTHERS: QueryObject[] = [{ $expr: { $eq: [{ $getField: 'inputs.a' }, { $literal: 1 }] } }];
  const { result, rerender } = renderHook(
    ({ queries }: { readonly queries: readonly QueryObject[] }) =>
      useMetQueries({ project: 'local/app', rows: ROWS, queries }),
    { initialProps: { queries: QUERIES } },
  );
  await answer([]);
  rerender({ queries: OTHERS });
  await answer([]);
  act(() => tellTouched('local/app', ['b']));
  expect(asked).toEqual(['a,b', 'a,b']);
  rerender({ queries: QUERIES });
  expect(asked.slice(2)).toEqual(['b']);
  await answer(['b']);
  expect(ROWS.map((row) => result.current.meets(row, QUERY))).toEqual([false, true]);
});
