import { type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useRemembered } from '../shell/remembered.ts';
import classes from './detail-pane.module.css';

const USUAL_PX = 456;
const LEAST_PX = 320;
const KEY_STEP_PX = 24;
const KEPT_AS = 'trace.detail';

/** The pane at the right; its left edge moves it, and where it was left is remembered. */
export function DetailPane({ children }: { readonly children: ReactNode }): ReactNode {
  const [kept, keep] = useRemembered(KEPT_AS, String(USUAL_PX));
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
        onDoubleClick={() => resize(USUAL_PX)}
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
