import { countOf, formatCount } from '../../format/count.ts';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { boxAt, type FlameBox, flameBoxes, mergedCount } from './flame-boxes.ts';
import { FlameTip } from './flame-tip.tsx';
import type { TimeScale } from '../layout/time-scale.ts';
import { OpTable } from './op-table.tsx';
import { LANE_PX, paintFlame } from './paint-flame.ts';
import { TimeAxis } from '../tree/time-axis.tsx';
import { useColours } from './use-colours.ts';
import { useWheelZoom } from './use-wheel-zoom.ts';
import { useSize } from '../../shell/use-size.ts';
import type { LaidOutTrace } from '../use-trace-layout.ts';
import classes from './flame-view.module.css';

export interface FlameViewProps {
  readonly trace: LaidOutTrace;
  readonly scale: TimeScale;
  readonly selected: number | undefined;
  readonly path: Uint8Array | undefined;
  readonly found: ReadonlySet<number>;
  readonly onSelect: (call: number) => void;
  readonly onZoomBy: (factor: number, around: number) => void;
}

interface Pointed {
  readonly box: FlameBox;
  readonly x: number;
  readonly y: number;
}

/** One rectangle per call, and below it what the ops in sight took. */
export function FlameView({ trace, scale, selected, path, found, onSelect, onZoomBy }: FlameViewProps): ReactNode {
  const [pane, setPane] = useState<HTMLDivElement | null>(null);
  const { width, height } = useSize(pane);
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useColours(pane);
  const [scrollTop, setScrollTop] = useState(0);
  const [pointed, setPointed] = useState<Pointed>();
  const { lanes, times } = trace.layout;
  const { states } = trace.skeleton;
  const firstLane = Math.floor(scrollTop / LANE_PX);
  const boxes = useMemo(
    () =>
      flameBoxes({
        lanes,
        ...times,
        states,
        scale,
        width,
        firstLane,
        lastLane: firstLane + Math.ceil(height / LANE_PX),
      }),
    [lanes, times, states, scale, width, height, firstLane],
  );
  useEffect(() => {
    if (!canvas.current || !colours || width === 0) return;
    paintFlame(canvas.current, { trace, scale, boxes, colours, width, height, scrollTop, selected, path, found });
  }, [trace, scale, boxes, colours, width, height, scrollTop, selected, path, found]);
  useEffect(() => {
    if (selected === undefined || pane === null) return;
    const top = (lanes.laneOf[selected] ?? 0) * LANE_PX;
    if (top < pane.scrollTop || top + LANE_PX > pane.scrollTop + pane.clientHeight) pane.scrollTop = top - LANE_PX * 2;
  }, [selected, lanes, pane]);

  const pointAt = (event: MouseEvent): Pointed | undefined => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    const box = boxAt(boxes, Math.floor((y + scrollTop) / LANE_PX), x);
    return box && { box, x, y };
  };
  const select = (place: Pointed | undefined): void => place && onSelect(place.box.call);
  useWheelZoom(pane, (factor, share) => onZoomBy(factor, scale.instantAt(share)));
  const { merged } = mergedCount(boxes);
  return (
    <div className={classes.flame}>
      <div className={classes.axis}>
        <TimeAxis scale={scale} width={width} room={0} />
      </div>
      <div className={classes.chart} style={{ height: Math.min(lanes.count * LANE_PX + 28, 480) }}>
        <div
          ref={setPane}
          className={classes.scroller}
          tabIndex={0}
          role="group"
          aria-label={`Flame chart of ${countOf(trace.skeleton.count, 'call')} on ${countOf(lanes.count, 'line')}; the same calls are rows in the tree`}
          onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
          onKeyDown={(event) => scrollByKey(event)}
          onPointerMove={(event) => setPointed(pointAt(event))}
          onPointerLeave={() => setPointed(undefined)}
          // A finger points at nothing before it touches.
          onClick={(event) => select(pointAt(event))}
        >
          <div style={{ height: lanes.count * LANE_PX }}>
            <canvas ref={canvas} className={classes.canvas} style={{ height }} aria-hidden="true" />
          </div>
        </div>
        {merged > 0 && (
          <p className={classes.note}>
            {formatCount(merged)} of {countOf(trace.skeleton.count, 'call')} are thinner than a pixel and drawn merged
          </p>
        )}
        {pointed && <FlameTip trace={trace} box={pointed.box} x={pointed.x} y={pointed.y} width={width} />}
      </div>
      <OpTable trace={trace} scale={scale} selected={selected} onSelect={onSelect} />
    </div>
  );
}

function scrollByKey(event: KeyboardEvent<HTMLElement>): void {
  const lines = event.key === 'PageDown' ? 5 : event.key === 'PageUp' ? -5 : 0;
  if (lines === 0) return;
  event.preventDefault();
  event.currentTarget.scrollTop += lines * LANE_PX;
}
