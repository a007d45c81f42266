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

/** A pane at the right of a page; its left edge moves it. */
export interface PaneOptions {
  /** Under which its width is kept. */
  readonly keptAs: string;
  readonly usualPx: number;
  /** How wide it may be in a page of this width. */
  readonly mostOf: (roomPx: number) => number;
}

export interface PaneEdge {
  /** Of the pane. */
  readonly ref: RefCallback<HTMLElement>;
  readonly style: CSSProperties;
  /** Of its edge. */
  readonly separator: {
    readonly role: 'separator';
    readonly tabIndex: 0;
    readonly 'aria-orientation': 'vertical';
    readonly 'aria-valuemin': number;
    readonly 'aria-valuemax': number | undefined;
    readonly 'aria-valuenow': number;
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    readonly onDoubleClick: () => void;
  };
}

const LEAST_PX = 320;
const STEP_PX = 16;

/**
 * The width of a pane, which is kept as it was left and shown as far as the page beside it has room: the edge says, and moves
 * from, what is shown.
 */
export function usePaneEdge({ keptAs, usualPx, mostOf }: PaneOptions): PaneEdge {
  const pane = useRef<HTMLElement>(null);
  const [page, setPage] = useState<HTMLElement | null>(null);
  const ref = useCallback<RefCallback<HTMLElement>>((element) => {
    pane.current = element;
    setPage(element?.parentElement ?? null);
  }, []);
  const [kept, keep] = useRemembered(keptAs, String(Math.round(usualPx)));
  const { width: roomPx } = useSize(page);
  // Nothing has been measured yet.
  const most = roomPx === 0 ? undefined : Math.max(LEAST_PX, Math.floor(mostOf(roomPx)));
  const bounded = (px: number) => Math.round(Math.max(LEAST_PX, Math.min(most ?? px, px)));
  const width = bounded(Number(kept) || usualPx);
  const resize = (px: number) => keep(String(bounded(px)));
  return {
    ref,
    style: { width },
    separator: {
      role: 'separator',
      tabIndex: 0,
      'aria-orientation': 'vertical',
      'aria-valuemin': LEAST_PX,
      'aria-valuemax': most,
      'aria-valuenow': width,
      onPointerDown: (event) => event.currentTarget.setPointerCapture(event.pointerId),
      onPointerMove: (event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        resize((pane.current?.getBoundingClientRect().right ?? 0) - event.clientX);
      },
      onKeyDown: (event) => {
        const step = { ArrowLeft: STEP_PX, ArrowRight: -STEP_PX }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        resize(width + step);
      },
      onDoubleClick: () => resize(usualPx),
    },
  };
}
