import type { ReactNode } from 'react';
import { type PaneEdge, usePaneEdge } from '../controls/pane/use-pane-edge.ts';
import { RAIL, useMedia } from '../shell/use-media.ts';
import classes from './detail-pane.module.css';

const USUAL_PX = 456;
/** As wide as lines of source mostly are, but the tree beside it stays wider. */
const WIDE_PX = 616;
/** Beside a rail there is no room for more. */
const MOST_BESIDE_RAIL_PX = 340;
const KEPT_AS = { usual: 'trace.detail', wide: 'trace.detail.wide' };

interface DetailPaneProps {
  /** It has a width of its own then. */
  readonly isWide: boolean;
  readonly children: ReactNode;
}

/** The pane at the right; its left edge moves it, and where it was left is remembered. */
export function DetailPane({ isWide, children }: DetailPaneProps): ReactNode {
  const { ref, style, separator } = useDetailEdge(isWide);
  return (
    <aside ref={ref} className={classes.pane} style={style} aria-label="Selected call">
      <div {...separator} className={classes.edge} aria-label="Width of the details" />
      {children}
    </aside>
  );
}

/** As wide as it, where a trace is not there yet. */
export function DetailPlace({ isWide }: Pick<DetailPaneProps, 'isWide'>): ReactNode {
  const { ref, style } = useDetailEdge(isWide);
  return <div ref={ref} className={classes.pane} style={style} />;
}

function useDetailEdge(isWide: boolean): PaneEdge {
  const isBesideRail = useMedia(RAIL);
  return usePaneEdge({
    keptAs: isWide ? KEPT_AS.wide : KEPT_AS.usual,
    usualPx: isWide ? Math.min(WIDE_PX, globalThis.innerWidth * 0.43) : USUAL_PX,
    mostOf: (room) => Math.min(room * 0.6, isBesideRail ? MOST_BESIDE_RAIL_PX : room),
  });
}
