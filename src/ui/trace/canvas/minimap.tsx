import { durationText } from '../tree/duration-text.ts';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { paintMinimap } from './paint-minimap.ts';
import type { TimeScale } from '../layout/time-scale.ts';
import { useColours } from './use-colours.ts';
import { useSize } from '../../shell/use-size.ts';
import type { LaidOutTrace } from '../use-trace-layout.ts';
import type { Zoom } from '../trace-address.ts';
import classes from './minimap.module.css';

interface MinimapProps {
  readonly trace: LaidOutTrace;
  /** Of the whole trace. */
  readonly scale: TimeScale;
  readonly zoom: Zoom | undefined;
  readonly onZoom: (zoom: Zoom | undefined) => void;
}

/** A drag shorter than this is a click. */
const LEAST_DRAG_PX = 3;
/** So near to an end of the brush a drag moves that end. */
const HANDLE_PX = 8;
const KEY_STEP = 0.05;

/** All calls as thin lines, and a brush over them for what the views below show. */
export function Minimap({ trace, scale, zoom, onZoom }: MinimapProps): ReactNode {
  const [strip, setStrip] = useState<HTMLDivElement | null>(null);
  const { width, height } = useSize(strip);
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useColours(strip);
  useEffect(() => {
    if (canvas.current && colours && width > 0) paintMinimap(canvas.current, { trace, scale, colours, width, height });
  }, [trace, scale, colours, width, height]);
  const shown = zoom ?? { from: scale.from, to: scale.to };
  const [left, right] = [scale.placeOf(shown.from), scale.placeOf(shown.to)];
  return (
    <div
      className={classes.minimap}
      role="slider"
      tabIndex={0}
      aria-label="Visible time"
      aria-valuemin={0}
      aria-valuemax={scale.to / 1e6}
      aria-valuenow={shown.from / 1e6}
      aria-valuetext={`${durationText(shown.from)} to ${durationText(shown.to)}`}
      onKeyDown={(event) => panByKey(event, scale, shown, onZoom)}
      onDoubleClick={() => onZoom(undefined)}
      onPointerDown={(event) => drag(event, { scale, shown, isZoomed: zoom !== undefined, onZoom })}
    >
      <div ref={setStrip} className={classes.strip}>
        <canvas ref={canvas} className={classes.canvas} aria-hidden="true" />
        <span className={classes.shade} style={{ left: 0, width: `${left * 100}%` }} />
        <span className={classes.shade} style={{ left: `${right * 100}%`, right: 0 }} />
        <span className={classes.brush} style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }} />
      </div>
    </div>
  );
}

function panByKey(event: KeyboardEvent, scale: TimeScale, shown: Zoom, onZoom: (zoom: Zoom | undefined) => void): void {
  const direction = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
  if (direction === 0) return;
  event.preventDefault();
  event.stopPropagation();
  onZoom(pan(scale, shown, direction * KEY_STEP));
}

/** The stretch that is shown, moved by a share of the whole as far as there is something. */
export function pan(scale: TimeScale, shown: Zoom, by: number): Zoom {
  const [from, to] = [scale.placeOf(shown.from), scale.placeOf(shown.to)];
  const moved = Math.min(1 - to, Math.max(-from, by));
  return { from: scale.instantAt(from + moved), to: scale.instantAt(to + moved) };
}

interface Drag {
  readonly scale: TimeScale;
  readonly shown: Zoom;
  readonly isZoomed: boolean;
  readonly onZoom: (zoom: Zoom | undefined) => void;
}

/** An end of the brush moves alone, its middle moves both; elsewhere, and over everything, a drag chooses anew. */
function drag(event: PointerEvent<HTMLDivElement>, { scale, shown, isZoomed, onZoom }: Drag): void {
  if (event.button !== 0) return;
  const strip = event.currentTarget.firstElementChild ?? event.currentTarget;
  const box = strip.getBoundingClientRect();
  const placeAt = (x: number): number => Math.min(1, Math.max(0, (x - box.left) / box.width));
  const start = placeAt(event.clientX);
  const [from, to] = [scale.placeOf(shown.from), scale.placeOf(shown.to)];
  const near = (place: number): boolean => Math.abs(place - start) * box.width <= HANDLE_PX;
  const anchor = near(from) ? to : near(to) ? from : start;
  const isPan = isZoomed && anchor === start && start > from && start < to;
  const target = event.currentTarget;
  target.setPointerCapture(event.pointerId);
  const move = (moved: globalThis.PointerEvent): void => {
    if (Math.abs(moved.clientX - event.clientX) < LEAST_DRAG_PX) return;
    const place = placeAt(moved.clientX);
    if (isPan) onZoom(pan(scale, shown, place - start));
    else onZoom({ from: scale.instantAt(Math.min(anchor, place)), to: scale.instantAt(Math.max(anchor, place)) });
  };
  const stop = (): void => target.removeEventListener('pointermove', move);
  target.addEventListener('pointermove', move);
  target.addEventListener('lostpointercapture', stop, { once: true });
}
