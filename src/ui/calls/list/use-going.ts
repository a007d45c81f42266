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
  const step = (by: number): void => {
    const id = grid.move(by);
    if (sel !== '' && id !== undefined) change({ sel: id }, { isReplacing: true });
  };
  return {
    rowOf,
    peek,
    open,
    step,
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
