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

/** A pane at the bottom of a page; its upper edge moves it. */
export interface PaneTop {
  /** Of the pane. */
  readonly ref: RefCallback<HTMLElement>;
  readonly style: CSSProperties;
  /** Of its edge. */
  readonly separator: {
    readonly role: 'separator';
    readonly tabIndex: 0;
    readonly 'aria-orientation': 'horizontal';
    readonly 'aria-valuemin': number;
    readonly 'aria-valuemax': number | undefined;
    readonly 'aria-valuenow': number;
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    readonly onDoubleClick: () => void;
  };
}

/** The head of the pane with a few lines. */
const LEAST_PX = 112;
/** The height that is left for what stands above. */
const ABOVE_PX = 140;
const USUAL_SHARE = 0.46;
const STEP_PX = 16;

/** The height of a pane, which is kept as it was left and shown as far as the page has room. */
export function usePaneTop(keptAs: string): PaneTop {
  const pane = useRef<HTMLElement>(null);
  const [page, setPage] = useState<HTMLElement | null>(null);
  const ref = useCallback<RefCallback<HTMLElement>>((element) => {
    pane.current = element;
    setPage(element?.parentElement ?? null);
  }, []);
  const [kept, keep] = useRemembered(keptAs, '');
  const { height: roomPx } = useSize(page);
  // Nothing has been measured yet.
  const most = roomPx === 0 ? undefined : Math.max(LEAST_PX, roomPx - ABOVE_PX);
  const bounded = (px: number) => Math.round(Math.max(LEAST_PX, Math.min(most ?? px, px)));
  const height = bounded(Number(kept) || roomPx * USUAL_SHARE);
  const resize = (px: number) => keep(String(bounded(px)));
  return {
    ref,
    style: { height },
    separator: {
      role: 'separator',
      tabIndex: 0,
      'aria-orientation': 'horizontal',
      'aria-valuemin': LEAST_PX,
      'aria-valuemax': most,
      'aria-valuenow': height,
      onPointerDown: (event) => event.currentTarget.setPointerCapture(event.pointerId),
      onPointerMove: (event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        resize((pane.current?.getBoundingClientRect().bottom ?? 0) - event.clientY);
      },
      onKeyDown: (event) => {
        const step = { ArrowUp: STEP_PX, ArrowDown: -STEP_PX }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        resize(height + step);
      },
      onDoubleClick: () => keep(''),
    },
  };
}
