import { type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useRemembered } from '../shell/remembered.ts';
import classes from './detail-pane.module.css';

const USUAL_PX = 456;
/** As wide as lines of source mostly are, but the tree beside it stays wider. */
const WIDE_PX = 616;
const LEAST_PX = 320;
const KEY_STEP_PX = 24;
const KEPT_AS = { usual: 'trace.detail', wide: 'trace.detail.wide' };

interface DetailPaneProps {
  /** It has a width of its own then. */
  readonly isWide: boolean;
  readonly children: ReactNode;
}

/** The pane at the right; its left edge moves it, and where it was left is remembered. */
export function DetailPane({ isWide, children }: DetailPaneProps): ReactNode {
  const usual = isWide ? Math.min(WIDE_PX, globalThis.innerWidth * 0.43) : USUAL_PX;
  const [kept, keep] = useRemembered(isWide ? KEPT_AS.wide : KEPT_AS.usual, String(Math.round(usual)));
  const width = Math.max(LEAST_PX, Number(kept) || USUAL_PX);
  const resize = (wanted: number): void => {
    keep(String(Math.round(Math.min(Math.max(LEAST_PX, wanted), globalThis.innerWidth * 0.6))));
  };
  return (
    <aside className={classes.pane} style={{ ['--pane' as string]: `${width}px` }} aria-label="Selected call">
      <div
        className={classes.edge}
        role="separator"
        tabIndex={0}
        aria-label="Width of the details"
        aria-orientation="vertical"
        aria-valuemin={LEAST_PX}
        aria-valuemax={Math.round(globalThis.innerWidth * 0.6)}
        aria-valuenow={width}
        onPointerDown={(event) => drag(event, width, resize)}
        onDoubleClick={() => resize(usual)}
        onKeyDown={(event) => resizeByKey(event, width, resize)}
      />
      {children}
    </aside>
  );
}

function drag(event: PointerEvent<HTMLElement>, width: number, resize: (width: number) => void): void {
  event.preventDefault();
  const edge = event.currentTarget;
  edge.setPointerCapture(event.pointerId);
  const move = (moved: globalThis.PointerEvent): void => resize(width + event.clientX - moved.clientX);
  edge.addEventListener('pointermove', move);
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
}

function resizeByKey(event: KeyboardEvent, width: number, resize: (width: number) => void): void {
  const direction = event.key === 'ArrowLeft' ? 1 : event.key === 'ArrowRight' ? -1 : 0;
  if (direction === 0) return;
  event.preventDefault();
  event.stopPropagation();
  resize(width + direction * KEY_STEP_PX);
}
