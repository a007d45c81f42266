import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { MAX_SEARCH_CHARACTERS } from '../../../src/ui/address/codec.ts';
import { CALLS, type CallsState } from '../../../src/ui/address/pages.ts';
import { useWhy } from '../../../src/ui/calls/why/use-why.ts';
import type { CallRow } from '../../../src/ui/data/answers.ts';

afterEach(cleanup);

const SUMS = { project_id: 'a/b', roots_only: true };

/** Ids as a project has them. */
function idsOf(count: number, run: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `0199a000-0000-7000-8000-${run}${String(index).padStart(11, '0')}`,
  );
}

/** A list of calls with an address. */
function list(search = '') {
  const address = { search };
  const hook = renderHook(
    ({ ids }) =>
      useWhy('a/b', {
        state: CALLS.read(address.search),
        change: (part: Partial<CallsState>) => void (address.search = CALLS.write(address.search, part)),
        wanted: { sums: SUMS },
        chosen: ids.map((id) => ({ id }) as CallRow),
      }),
    { initialProps: { ids: [] as readonly string[] } },
  );
  const why = () => hook.result.current;
  const choose = (ids: readonly string[]) => hook.rerender({ ids });
  return {
    address,
    why,
    choose,
    toggle: (ids: readonly string[]) => {
      choose(ids);
      act(() => why().toggle());
      choose(ids);
    },
  };
}

const comparedIds = (page: ReturnType<typeof list>) => page.why().compared?.selection.filter?.call_ids;

test('a few calls that are selected are in the address', () => {
  const { address, toggle } = list();
  const ids = idsOf(3, 1);
  toggle(ids);
  expect(address.search).toBe(`why=1&of=${ids.join(',')}`);
  expect(comparedIds(list(address.search))).toEqual(ids);
});

test('more than an address can hold are compared, and kept for who comes back to it', () => {
  const page = list('q=status:error');
  const ids = idsOf(600, 2);
  page.toggle(ids);
  expect(page.address.search.length).toBeLessThan(MAX_SEARCH_CHARACTERS);
  expect(comparedIds(page)).toEqual(ids);
  expect(page.why().keptCount).toBe(600);
  expect(comparedIds(list(page.address.search))).toEqual(ids);
});

test('what the page does not have any more is not compared as something else', () => {
  const page = list('q=status:error');
  page.toggle(idsOf(600, 3));
  const first = page.address.search;
  page.toggle(idsOf(700, 4));
  const before = list(first);
  expect([before.why().isOpen, before.why().compared, before.why().keptCount]).toEqual([true, undefined, 600]);
});

test('the same calls once more close it, however many they are', () => {
  for (const count of [2, 600]) {
    const page = list();
    const ids = idsOf(count, 5);
    page.toggle(ids);
    expect(page.why().isOpen).toBe(true);
    page.toggle(ids);
    expect([page.why().isOpen, page.address.search]).toEqual([false, '']);
  }
});
