import type { ReactElement, ReactNode } from 'react';
import { LEAST_PANE_PX, Pane } from './pane.tsx';
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
  const edge = usePaneEdge({
    side: 'left',
    keptAs: `${name}-px`,
    leastPx: LEAST_PANE_PX,
    usualOf: () => USUAL_PX,
    mostOf: (room) => room - LIST_PX,
  });
  return (
    <Pane label={label} edgeLabel="Width of the panel" edge={edge} className={classes.panel}>
      {children}
    </Pane>
  );
}
