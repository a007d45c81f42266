import { useEffect } from 'react';
import { useRemembered } from './remembered.ts';

export type RowHeight = 'compact' | 'usual' | 'comfortable';

/** As `tokens.css` has them. */
const PX: Readonly<Record<RowHeight, number>> = { compact: 24, usual: 28, comfortable: 36 };

export interface RowHeights {
  readonly height: RowHeight;
  /** Of one row of a list, but on a phone. */
  readonly px: number;
  readonly choose: (height: RowHeight) => void;
}

/** How high rows are in lists and trees. */
export function useRowHeight(): RowHeights {
  const [kept, choose] = useRemembered('rows', 'usual');
  const height = kept === 'compact' || kept === 'comfortable' ? kept : 'usual';
  useEffect(() => {
    if (height === 'usual') delete document.documentElement.dataset['rows'];
    else document.documentElement.dataset['rows'] = height;
  }, [height]);
  return { height, px: PX[height], choose };
}
