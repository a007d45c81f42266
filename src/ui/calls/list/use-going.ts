import { useCallback, useEffect, useRef } from 'react';
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
  /** To the first row of the list, also where that is not there any more. */
  readonly home: () => void;
  /** Closes what is shown beside the list. */
  readonly close: () => void;
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
  }, [list.above, rows, grid]);
  const [, navigate] = useLocation();
  const peek = useCallback((row: CallRow) => change({ sel: row.id }), [change]);
  const open = useCallback((row: CallRow) => navigate(callPath(project, row.trace_id, row.id)), [navigate, project]);
  const rowOf = (id: string | undefined) => rows.find((row) => row.id === id);
  return {
    rowOf,
    peek,
    open,
    step: (by) => {
      const id = grid.move(by);
      if (sel !== '' && id !== undefined) change({ sel: id }, { isReplacing: true });
    },
    home: () => {
      isGoingHome.current = true;
      // Its rows are read once they are in sight.
      place?.querySelector('[role="rowgroup"]')?.scrollTo({ top: 0 });
      if (list.above === 0) grid.move(-rows.length);
    },
    close: () => {
      if (rowOf(sel) !== undefined) grid.focus(sel);
      change({ sel: '' });
      // The panel goes with what had the focus.
      requestAnimationFrame(() => place?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus());
    },
  };
}
