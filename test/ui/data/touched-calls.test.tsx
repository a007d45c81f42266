import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { tellTouched, useTouchedCalls } from '../../../src/ui/data/touched-calls.ts';

afterEach(cleanup);

/** What is told of a project to something that shows it. */
function showing(project: string) {
  const told: (readonly [id: string, of: string])[] = [];
  const shown = renderHook(
    ({ of, name }) => useTouchedCalls(of, (ids) => told.push(...ids.map((id) => [id, name] as const))),
    { initialProps: { of: project, name: 'first' } },
  );
  return { told, ...shown };
}

test('calls of a project are told to all that show it, and to nobody else', () => {
  const [here, beside, elsewhere] = [showing('a/a'), showing('a/a'), showing('b/b')];
  tellTouched('a/a', ['x', 'y']);
  expect(here.told).toEqual([
    ['x', 'first'],
    ['y', 'first'],
  ]);
  expect(beside.told).toEqual(here.told);
  expect(elsewhere.told).toEqual([]);
});

test('what is shown now is told: not what it was drawn with before, and not what is gone', () => {
  const { told, rerender, unmount } = showing('a/a');
  rerender({ of: 'a/a', name: 'second' });
  tellTouched('a/a', ['x']);
  rerender({ of: 'b/b', name: 'third' });
  tellTouched('a/a', ['not here']);
  tellTouched('b/b', ['y']);
  unmount();
  tellTouched('b/b', ['z']);
  expect(told).toEqual([
    ['x', 'second'],
    ['y', 'third'],
  ]);
});
