import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { LOOKED_ROWS, type LookOptions, useLook } from '../../../../src/ui/calls/list/use-look.ts';

afterEach(cleanup);

const loadMore = () => undefined;

function look(options: Partial<LookOptions>) {
  const whole = { key: 'cost>1', isLooking: true, count: 0, loadMore, ...options };
  return renderHook((given: LookOptions) => useLook(given), { initialProps: whole });
}

test('a list whose rows have to be looked at reads so many, and further ones when somebody goes on', () => {
  const { result, rerender } = look({ count: LOOKED_ROWS - 1 });
  expect(result.current).toEqual({ loadMore, goOn: undefined });
  rerender({ key: 'cost>1', isLooking: true, count: LOOKED_ROWS, loadMore });
  expect(result.current.loadMore).toBeUndefined();
  act(() => result.current.goOn?.());
  expect(result.current).toEqual({ loadMore, goOn: undefined });
  rerender({ key: 'cost>1', isLooking: true, count: 2 * LOOKED_ROWS, loadMore });
  expect(result.current.goOn).toBeDefined();
});

test('another list is looked at from its beginning', () => {
  const { result, rerender } = look({ count: LOOKED_ROWS });
  act(() => result.current.goOn?.());
  rerender({ key: 'cost>2', isLooking: true, count: LOOKED_ROWS, loadMore });
  expect(result.current.goOn).toBeDefined();
});

test('a list that the service answers is read as far as one scrolls, and one that is at its end has nothing more', () => {
  expect(look({ count: 90_000, isLooking: false }).result.current).toEqual({ loadMore, goOn: undefined });
  expect(look({ count: 90_000, loadMore: undefined }).result.current.goOn).toBeUndefined();
});
