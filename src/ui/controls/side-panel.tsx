import { type KeyboardEvent, type PointerEvent, type ReactElement, type ReactNode, useRef } from 'react';
import { useRemembered } from '../shell/remembered.ts';
import classes from './side-panel.module.css';

export interface SidePanelProps {
  readonly label: string;
  /** Under which its width is kept. */
  readonly name: string;
  readonly children: ReactNode;
}

const USUAL_PX = 456;
const LEAST_PX = 320;
/** The width that is left for the list, also by the styles. */
const LIST_PX = 280;
const STEP_PX = 16;

/** At the right of a page, as wide as one likes. */
export function SidePanel({ label, name, children }: SidePanelProps): ReactElement {
  const panel = useRef<HTMLElement>(null);
  const [kept, keep] = useRemembered(`${name}-px`, String(USUAL_PX));
  const width = Math.max(LEAST_PX, Number(kept) || USUAL_PX);
  const resize = (px: number) => {
    const room = panel.current?.parentElement?.clientWidth ?? innerWidth;
    keep(String(Math.round(Math.max(LEAST_PX, Math.min(room - LIST_PX, px)))));
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    resize((panel.current?.getBoundingClientRect().right ?? 0) - event.clientX);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: STEP_PX, ArrowRight: -STEP_PX }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    // In a window that has become narrower it is not as wide as it was left.
    resize((panel.current?.offsetWidth ?? width) + step);
  };
  return (
    <aside ref={panel} aria-label={label} className={classes.panel} style={{ width }}>
      <div
        role="separator"
        aria-label="Width of the panel"
        aria-orientation="vertical"
        aria-valuenow={width}
        aria-valuemin={LEAST_PX}
        tabIndex={0}
        className={classes.edge}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
        onDoubleClick={() => resize(USUAL_PX)}
      />
      {children}
    </aside>
  );
}
