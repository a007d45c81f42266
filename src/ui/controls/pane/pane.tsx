import type { ReactElement, ReactNode } from 'react';
import classes from './pane.module.css';
import { PaneHandle } from './pane-handle.tsx';
import type { PaneEdge } from './use-pane-edge.ts';

export interface PaneProps {
  readonly label: string;
  /** The name of its edge. */
  readonly edgeLabel: string;
  readonly edge: PaneEdge;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The width that a pane beside a page keeps. */
export const LEAST_PANE_PX = 320;

/** A pane at the right of a page; its left edge moves it. */
export function Pane({ label, edgeLabel, edge, className, children }: PaneProps): ReactElement {
  const { ref, style } = edge;
  return (
    <aside ref={ref} aria-label={label} className={[classes.pane, className].filter(Boolean).join(' ')} style={style}>
      <PaneHandle edge={edge} label={edgeLabel} />
      {children}
    </aside>
  );
}

/** As wide as it, where its content is not there yet. */
export function PanePlace({ edge: { ref, style }, children }: Pick<PaneProps, 'edge' | 'children'>): ReactElement {
  return (
    <div ref={ref} className={classes.pane} style={style}>
      {children}
    </div>
  );
}
