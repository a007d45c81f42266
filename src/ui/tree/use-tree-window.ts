import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { keepInSight, rowsInSight } from '../grid/rows-in-sight.ts';
import { useRowHeight } from '../shell/row-height.ts';
import { PHONE, useMedia } from '../shell/use-media.ts';
import { useSize } from '../shell/use-size.ts';
import { rowId } from './tree-line.tsx';
import type { VisibleRows } from './visible-rows.ts';

export interface TreeWindowOptions {
  readonly rows: VisibleRows;
  /** The code of the selected line. */
  readonly cursor: number;
  readonly phoneRowPx: number;
}

/** The part of a tree that is in sight. */
export interface TreeWindow {
  readonly isPhone: boolean;
  /** Of the lines, without a scroll bar. */
  readonly width: number;
  readonly rowPx: number;
  /** That of the selected line; -1: it is folded away. */
  readonly cursorRow: number;
  /** The rows that are drawn. */
  readonly shown: readonly number[];
  /** How many rows a page of keys is. */
  readonly pageRows: number;
  /** Of the element that scrolls. */
  readonly scroller: {
    readonly ref: (element: HTMLDivElement | null) => void;
    readonly onFocus: () => void;
    readonly onBlur: () => void;
    readonly onScroll: (event: { readonly currentTarget: HTMLElement }) => void;
  };
}

/** Only rows that are seen are drawn, and the selected one, which is kept in sight and keeps the focus. */
export function useTreeWindow({ rows, cursor, phoneRowPx }: TreeWindowOptions): TreeWindow {
  const isPhone = useMedia(PHONE);
  const [scroller, ref] = useState<HTMLDivElement | null>(null);
  const { width, height } = useSize(scroller);
  const { px: usualPx } = useRowHeight();
  const rowPx = isPhone ? phoneRowPx : usualPx;
  const [first, setFirst] = useState(0);
  const cursorRow = useMemo(() => rows.code.indexOf(cursor), [rows, cursor]);
  const room = Math.ceil(height / rowPx);
  const shown = rowsInSight({ first, room, count: rows.count, kept: cursorRow });
  useLayoutEffect(() => {
    if (scroller !== null && height > 0) keepInSight(scroller, cursorRow, rowPx, height);
    // Only another selection moves the list: what grows or folds elsewhere leaves it where it is.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [cursor, height > 0]);
  // A row that is gone before the next one is here takes the focus with it, and says nothing of it.
  const hasFocus = useRef(false);
  useEffect(() => {
    const isLost = hasFocus.current && document.activeElement === document.body;
    if (isLost || scroller?.contains(document.activeElement))
      document.getElementById(rowId(cursor))?.focus({ preventScroll: true });
  }, [cursor, scroller]);
  return {
    isPhone,
    width,
    rowPx,
    cursorRow,
    shown,
    pageRows: Math.max(1, room - 2),
    scroller: {
      ref,
      onFocus: () => (hasFocus.current = true),
      onBlur: () => (hasFocus.current = false),
      onScroll: ({ currentTarget }) => setFirst(Math.floor(currentTarget.scrollTop / rowPx)),
    },
  };
}
