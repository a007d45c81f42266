import type { ReactElement } from 'react';
import classes from './side-mark.module.css';

/** The sign of a side: A is orange, B is blue, everywhere. */
export function SideMark({ side }: { readonly side: 'a' | 'b' }): ReactElement {
  return <span className={`${classes.mark} ${side === 'a' ? classes.a : classes.b}`}>{side === 'a' ? 'A' : 'B'}</span>;
}
