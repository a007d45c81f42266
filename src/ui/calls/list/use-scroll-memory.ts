import { useCallback, useEffect, useMemo, useRef } from 'react';

const positions = new Map<string, number>();

export interface ScrollMemory {
  readonly ref: (element: HTMLDivElement | null) => void;
  readonly keep: (top: number) => void;
  readonly toTop: () => void;
}

/** Where a list was scrolled to: back leads to the same rows. Kept for each list as long as the page lives. */
export function useScrollMemory(list: string, isReady: boolean): ScrollMemory {
  const element = useRef<HTMLDivElement>(null);
  const restored = useRef<string>(undefined);
  useEffect(() => {
    // Whoever comes back before the rows of another list were there comes back to a list without its place, too.
    if (restored.current !== list) restored.current = undefined;
    if (!isReady || restored.current === list) return;
    restored.current = list;
    element.current?.scrollTo({ top: positions.get(list) ?? 0 });
  }, [list, isReady]);
  const ref = useCallback((next: HTMLDivElement | null) => {
    element.current = next;
  }, []);
  return useMemo(
    () => ({
      ref,
      keep: (top) => {
        if (restored.current === list) positions.set(list, top);
      },
      toTop: () => element.current?.scrollTo({ top: 0 }),
    }),
    [ref, list],
  );
}
