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
