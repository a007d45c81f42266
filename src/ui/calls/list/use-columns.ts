import { useMemo } from 'react';
import type { CallRow } from '../../data/answers.ts';
import { dayOf } from '../../format/time.ts';
import { type Column, fittingColumns } from '../../grid/column.ts';
import { useRemembered } from '../../shell/remembered.ts';
import { rangeOf } from '../filter/range.ts';
import { columnsOf, LEAVING, USUAL_COLUMNS } from './columns.tsx';

export interface ColumnChoice {
  readonly all: readonly Column<CallRow>[];
  readonly chosen: readonly string[];
  /** Those of the chosen that have room. */
  readonly shown: readonly Column<CallRow>[];
  /** Keeps another choice for the next time, too; none: the usual ones. */
  readonly keep: (chosen?: readonly string[]) => void;
}

export interface ColumnsOptions {
  readonly project: string;
  /** Columns that the address names. */
  readonly named: readonly string[];
  /** The range of the address. */
  readonly t: string;
  readonly p95: number | undefined;
  /** The width that the list has. */
  readonly widthPx: number;
}

/** Narrower lists have short names. */
const NARROW_PX = 880;
/** Check boxes at the left and the gutter at the right. */
const ROW_ENDS_PX = 52;

/** The columns of a list: those of its address, or those that were chosen last, as far as there is room. */
export function useColumns({ project, named, t, p95, widthPx }: ColumnsOptions): ColumnChoice {
  const [kept, keep] = useRemembered('columns', USUAL_COLUMNS.join(','));
  const chosen = named.length > 0 ? named : kept.split(',');
  const today = dayOf(Date.now());
  const { after } = rangeOf(t, Date.now());
  const hasDates = after === undefined || dayOf(after) !== today;
  // Rows that were drawn yesterday say so from midnight on.
  const now = useMemo(() => ({ today, at: Date.now() }), [today]).at;
  const isNarrow = widthPx < NARROW_PX;
  const all = useMemo(
    () => columnsOf({ project, p95, hasDates, now, isNarrow }),
    [project, p95, hasDates, now, isNarrow],
  );
  const shown = useMemo(() => {
    const wanted = all.filter(({ id }) => id === 'op' || chosen.includes(id));
    return fittingColumns(wanted, widthPx - ROW_ENDS_PX, LEAVING);
  }, [all, chosen.join(), widthPx]);
  return { all, chosen, shown, keep: (next = USUAL_COLUMNS) => keep(next.join(',')) };
}
