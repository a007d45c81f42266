import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useScrollMemory } from '../../../../src/ui/calls/list/use-scroll-memory.ts';

afterEach(cleanup);

let page = 0;

/** A list of a page that was never open before, at its top. `isReady`: its rows are there. */
function open() {
  page += 1;
  const nameOf = (list: string) => `page-${page}?${list}`;
  const element = document.createElement('div');
  const { result, rerender, unmount } = renderHook(
    ({ list, isReady }: { readonly list: string; readonly isReady: boolean }) => useScrollMemory(nameOf(list), isReady),
    { initialProps: { list: 'first', isReady: false } },
  );
  act(() => result.current.ref(element));
  const scroll = (top: number) => {
    element.scrollTop = top;
    result.current.keep(top);
  };
  const show = (list: string, isReady = true) => {
    rerender({ list, isReady });
    // Bars that stand for rows fill no window.
    if (!isReady) scroll(0);
  };
  show('first');
  return { show, scroll, top: () => element.scrollTop, toTop: () => result.current.toTop(), unmount };
}

test('a list that one comes back to is where it was left, and another one begins at its top', () => {
  const { show, scroll, top } = open();
  scroll(1400);
  show('second', false);
  show('second');
  expect(top()).toBe(0);
  scroll(300);
  show('first');
  expect(top()).toBe(1400);
  show('second');
  expect(top()).toBe(300);
});

test('a list that one comes back to before the other one was there is where it was left', () => {
  const { show, scroll, top } = open();
  scroll(1400);
  show('second', false);
  show('first');
  expect(top()).toBe(1400);
});

test('a list whose rows are read again on the way back is where it was left', () => {
  const { show, scroll, top } = open();
  scroll(1400);
  show('second');
  show('first', false);
  show('first');
  expect(top()).toBe(1400);
});

test('a list is left where one scrolls meanwhile, however many rows come', () => {
  const { show, scroll, top, toTop } = open();
  scroll(1400);
  show('first');
  expect(top()).toBe(1400);
  toTop();
  expect(top()).toBe(0);
});
