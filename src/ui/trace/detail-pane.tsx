import type { ReactNode } from 'react';
import { LEAST_PANE_PX, Pane, PanePlace } from '../controls/pane/pane.tsx';
import { type PaneEdge, usePaneEdge } from '../controls/pane/use-pane-edge.ts';
import { RAIL, useMedia } from '../shell/use-media.ts';

const USUAL_PX = 456;
/** Beside a rail there is no room for more. */
const MOST_BESIDE_RAIL_PX = 340;

interface DetailProps {
  readonly children: ReactNode;
}

/** The pane of the selected call: as wide as it was left, whatever is shown in it. */
export function DetailPane({ children }: DetailProps): ReactNode {
  return (
    <Pane label="Selected call" edgeLabel="Width of the details" edge={useDetailEdge()}>
      {children}
    </Pane>
  );
}

/** As wide as it, where a trace is not there yet. */
export function DetailPlace({ children }: DetailProps): ReactNode {
  return <PanePlace edge={useDetailEdge()}>{children}</PanePlace>;
}

function useDetailEdge(): PaneEdge {
  const isBesideRail = useMedia(RAIL);
  return usePaneEdge({
    side: 'left',
    keptAs: 'trace.detail',
    leastPx: LEAST_PANE_PX,
    usualOf: () => USUAL_PX,
    mostOf: (room) => Math.min(room * 0.6, isBesideRail ? MOST_BESIDE_RAIL_PX : room),
  });
}
