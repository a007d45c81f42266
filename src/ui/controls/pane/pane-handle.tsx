import type { ReactElement } from 'react';
import classes from './pane-handle.module.css';
import type { PaneEdge } from './use-pane-edge.ts';

export interface PaneHandleProps {
  readonly edge: PaneEdge;
  readonly label: string;
}

/** The edge of a pane, by which it is moved. */
export function PaneHandle({ edge: { side, separator }, label }: PaneHandleProps): ReactElement {
  return <div {...separator} aria-label={label} className={side === 'left' ? classes.left : classes.top} />;
}
