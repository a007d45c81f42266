import type { ReactElement, ReactNode } from 'react';
import classes from './side-panel.module.css';
import { usePaneEdge } from './use-pane-edge.ts';

export interface SidePanelProps {
  readonly label: string;
  /** Under which its width is kept. */
  readonly name: string;
  readonly children: ReactNode;
}

const USUAL_PX = 456;
/** The width that is left for the list. */
const LIST_PX = 280;

/** At the right of a page, as wide as one likes. */
export function SidePanel({ label, name, children }: SidePanelProps): ReactElement {
  const { ref, style, separator } = usePaneEdge({
    keptAs: `${name}-px`,
    usualPx: USUAL_PX,
    mostOf: (room) => room - LIST_PX,
  });
  return (
    <aside ref={ref} aria-label={label} className={classes.panel} style={style}>
      <div {...separator} aria-label="Width of the panel" className={classes.edge} />
      {children}
    </aside>
  );
}
