import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type RefCallback,
  useCallback,
  useRef,
  useState,
} from 'react';
import { useRemembered } from '../../shell/remembered.ts';
import { useSize } from '../../shell/use-size.ts';

/** The edge that moves a pane: the left one of a pane at the right of a page, the upper one of a pane at its bottom. */
export type PaneSide = 'left' | 'top';

export interface PaneOptions {
  readonly side: PaneSide;
  /** Under which its size is kept. */
  readonly keptAs: string;
  readonly leastPx: number;
  /** In a page of this size. */
  readonly usualOf: (roomPx: number) => number;
  readonly mostOf: (roomPx: number) => number;
}

export interface PaneEdge {
  readonly side: PaneSide;
  /** Of the pane. */
  readonly ref: RefCallback<HTMLElement>;
  readonly style: CSSProperties;
  /** Of its edge. */
  readonly separator: {
    readonly role: 'separator';
    readonly tabIndex: 0;
    readonly 'aria-orientation': 'vertical' | 'horizontal';
    readonly 'aria-valuemin': number;
    readonly 'aria-valuemax': number | undefined;
    readonly 'aria-valuenow': number;
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    readonly onDoubleClick: () => void;
  };
}

/** How a side measures, and moves. */
interface Axis {
  readonly orientation: 'vertical' | 'horizontal';
  readonly measure: 'width' | 'height';
  readonly growKey: string;
  readonly shrinkKey: string;
  /** From a place to the end of the pane that stays where it is. */
  readonly reach: (pane: DOMRect, at: PointerEvent) => number;
}

const AXES: Readonly<Record<PaneSide, Axis>> = {
  left: {
    orientation: 'vertical',
    measure: 'width',
    growKey: 'ArrowLeft',
    shrinkKey: 'ArrowRight',
    reach: ({ right }, { clientX }) => right - clientX,
  },
  top: {
    orientation: 'horizontal',
    measure: 'height',
    growKey: 'ArrowUp',
    shrinkKey: 'ArrowDown',
    reach: ({ bottom }, { clientY }) => bottom - clientY,
  },
};

const STEP_PX = 16;
/** Kept where nobody has moved the edge, or who has moved it wants the usual size back. */
const USUAL = '';

/**
 * The size of a pane, which is kept as it was left and shown as far as the page beside it has room: the edge says, and moves
 * from, what is shown.
 */
export function usePaneEdge({ side, keptAs, leastPx, usualOf, mostOf }: PaneOptions): PaneEdge {
  const { orientation, measure, growKey, shrinkKey, reach } = AXES[side];
  const pane = useRef<HTMLElement>(null);
  const [page, setPage] = useState<HTMLElement | null>(null);
  const ref = useCallback<RefCallback<HTMLElement>>((element) => {
    pane.current = element;
    setPage(element?.parentElement ?? null);
  }, []);
  const [kept, keep] = useRemembered(keptAs, USUAL);
  const { [measure]: roomPx } = useSize(page);
  // Nothing has been measured yet.
  const most = roomPx === 0 ? undefined : Math.max(leastPx, Math.floor(mostOf(roomPx)));
  const bounded = (px: number) => Math.round(Math.max(leastPx, Math.min(most ?? px, px)));
  const size = bounded(Number(kept) || usualOf(roomPx));
  const resize = (px: number) => keep(String(bounded(px)));
  return {
    side,
    ref,
    style: { [measure]: size },
    separator: {
      role: 'separator',
      tabIndex: 0,
      'aria-orientation': orientation,
      'aria-valuemin': leastPx,
      'aria-valuemax': most,
      'aria-valuenow': size,
      onPointerDown: (event) => event.currentTarget.setPointerCapture(event.pointerId),
      onPointerMove: (event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        if (pane.current !== null) resize(reach(pane.current.getBoundingClientRect(), event));
      },
      onKeyDown: (event) => {
        const step = { [growKey]: STEP_PX, [shrinkKey]: -STEP_PX }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        resize(size + step);
      },
      onDoubleClick: () => keep(USUAL),
    },
  };
}
