import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { callPath } from '../../address/paths.ts';
import type { CallRow } from '../../data/answers.ts';
import type { ShownCalls } from './use-shown-calls.ts';

/** Ways through a list. */
export interface Going {
  /** The row of a call, where the list has it. */
  readonly rowOf: (id: string | undefined) => CallRow | undefined;
  /** Shows a call beside the list. */
  readonly peek: (row: CallRow) => void;
  /** Goes to its trace. */
  readonly open: (row: CallRow) => void;
  /** So many rows on; what is shown beside the list goes with it. */
  readonly step: (by: number) => void;
  /** Is there a row beside the one that is shown beside the list, also where that has left the list? */
  readonly canStep: boolean;
  /** To the first row of the list, also where that is not there any more. */
  readonly home: () => void;
  /** Closes what is shown beside the list. */
  readonly close: () => void;
  /** Gives the focus to the list, as what had it goes. */
  readonly comeBack: () => void;
}

export function useGoing(
  project: string,
  { state: { sel }, change, list, rows, grid }: ShownCalls,
  place: HTMLElement | null,
): Going {
  const isGoingHome = useRef(false);
  useEffect(() => {
    const [first] = rows;
    if (!isGoingHome.current || list.above > 0 || first === undefined) return;
    isGoingHome.current = false;
    grid.focus(first.id);
    if (sel !== '') change({ sel: first.id }, { isReplacing: true });
  }, [list.above, rows, grid]);
  const [, navigate] = useLocation();
  const peek = useCallback((row: CallRow) => change({ sel: row.id }), [change]);
  const open = useCallback((row: CallRow) => navigate(callPath(project, row.trace_id, row.id)), [navigate, project]);
  const rowOf = (id: string | undefined) => rows.find((row) => row.id === id);
  // By then the row is there that has it, where rows went as well.
  const comeBack = () =>
    void requestAnimationFrame(() => place?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus());
  const around = useRowsAround(rows, sel);
  const isAway = sel !== '' && rowOf(sel) === undefined;
  const moveFromAway = (by: number): string | undefined => {
    const id = neighbourIn(rows, around, sel, by);
    if (id !== undefined) grid.focus(id);
    return id;
  };
  const step = (by: number): void => {
    const id = isAway && around.length > 0 ? moveFromAway(by) : grid.move(by);
    if (sel !== '' && id !== undefined) change({ sel: id }, { isReplacing: true });
  };
  return {
    rowOf,
    peek,
    open,
    step,
    canStep: !isAway || around.some(({ id }) => id !== sel && rowOf(id) !== undefined),
    home: () => {
      place?.querySelector('[role="rowgroup"]')?.scrollTo({ top: 0 });
      if (list.above === 0) return step(-rows.length);
      // Its rows are read once they are in sight.
      isGoingHome.current = true;
    },
    close: () => {
      if (rowOf(sel) !== undefined) grid.focus(sel);
      change({ sel: '' });
      comeBack();
    },
    comeBack,
  };
}

/**
 * The rows as they were when one of them was in the list last; none where it never was. It may leave the list while it is read, as
 * when feedback decides who is in it and the list is read again: one goes on from where it was.
 */
function useRowsAround(rows: readonly CallRow[], id: string): readonly CallRow[] {
  const [around, setAround] = useState<{ readonly id: string; readonly rows: readonly CallRow[] }>({ id, rows: [] });
  const isHere = rows.some((row) => row.id === id);
  if (isHere && around.rows !== rows) setAround({ id, rows });
  return around.id === id ? around.rows : [];
}

/** The nearest row that is still there, behind the place of one that is not or before it. */
function neighbourIn(rows: readonly CallRow[], around: readonly CallRow[], id: string, by: number): string | undefined {
  const at = around.findIndex((row) => row.id === id);
  const there = new Set(rows.map((row) => row.id));
  const side = by > 0 ? around.slice(at + 1) : around.slice(0, at).toReversed();
  return side.find((row) => there.has(row.id))?.id;
}
