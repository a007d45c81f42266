import { useCallback, useLayoutEffect, useRef } from 'react';

/** The selected line of a tree, and how another one is. */
export interface TreeCursor {
  /** Of the line. */
  readonly code: number;
  /** Selects a line, and where something hides it unfolds that. */
  readonly select: (code: number, step?: 'push' | 'replace') => void;
  readonly toggle: (code: number, isOpen: boolean, isDeep: boolean) => void;
}

/** A cursor with the same functions at each render, so that lines that are as they were need not be drawn again. */
export function useSteadyCursor<Cursor extends TreeCursor>(cursor: Cursor): Cursor {
  const latest = useRef(cursor);
  useLayoutEffect(() => {
    latest.current = cursor;
  });
  const select = useCallback<TreeCursor['select']>((...args) => latest.current.select(...args), []);
  const toggle = useCallback<TreeCursor['toggle']>((...args) => latest.current.toggle(...args), []);
  return { ...cursor, select, toggle };
}
