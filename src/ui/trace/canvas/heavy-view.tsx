import { countOf } from '../../format/count.ts';
import { durationText } from '../tree/duration-text.ts';
import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { type HeavyStack, heavyStacks } from '../layout/heavy-stacks.ts';
import { LANE_PX, paintHeavy } from './paint-heavy.ts';
import { OpTable } from './op-table.tsx';
import type { TimeScale } from '../layout/time-scale.ts';
import { useColours } from './use-colours.ts';
import { useSize } from '../../shell/use-size.ts';
import type { LaidOutTrace } from '../use-trace-layout.ts';
import classes from './flame-view.module.css';

interface HeavyViewProps {
  readonly trace: LaidOutTrace;
  readonly scale: TimeScale;
  readonly selected: number | undefined;
  readonly onSelect: (call: number) => void;
}

interface Pointed {
  readonly stack: HeavyStack;
  readonly x: number;
  readonly y: number;
}

const TIP_PX = 260;

/** Same stacks merged, those with most time left: where the time of the whole trace went. */
export function HeavyView({ trace, scale, selected, onSelect }: HeavyViewProps): ReactNode {
  const { skeleton, layout } = trace;
  const [pane, setPane] = useState<HTMLDivElement | null>(null);
  const { width, height } = useSize(pane);
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useColours(pane);
  const [scrollTop, setScrollTop] = useState(0);
  const [pointed, setPointed] = useState<Pointed>();
  const stacks = useMemo(
    () => heavyStacks({ tree: layout.tree, op: skeleton.op, states: skeleton.states, ...layout.times }),
    [skeleton, layout],
  );
  const total = stacks.reduce((sum, { depth, weight }) => sum + (depth === 0 ? weight : 0), 0) || 1;
  const lines = stacks.reduce((most, { depth }) => Math.max(most, depth + 1), 1);
  useEffect(() => {
    if (!canvas.current || !colours || width === 0) return;
    paintHeavy(canvas.current, {
      skeleton,
      tree: layout.tree,
      stacks,
      total,
      colours,
      width,
      height,
      scrollTop,
      selected,
    });
  }, [skeleton, layout, stacks, total, colours, width, height, scrollTop, selected]);

  const pointAt = (event: MouseEvent): Pointed | undefined => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    const depth = Math.floor((y + scrollTop) / LANE_PX);
    const weight = (x / width) * total;
    const stack = stacks.find(
      (each) => each.depth === depth && weight >= each.from && weight < each.from + each.weight,
    );
    return stack && { stack, x, y };
  };
  const select = (place: Pointed | undefined): void => place && onSelect(place.stack.heaviest);
  return (
    <div className={classes.flame}>
      <div className={classes.axis}>
        <p className={classes.caption}>
          {durationText(total)} in {countOf(stacks.length, 'stack')}, heaviest left; what ran at the same time adds up
        </p>
      </div>
      <div className={classes.chart} style={{ height: Math.min(lines * LANE_PX + 16, 480), paddingBottom: 8 }}>
        <div
          ref={setPane}
          className={classes.scroller}
          tabIndex={0}
          role="group"
          aria-label={`${countOf(stacks.length, 'merged stack')} of ${countOf(skeleton.count, 'call')}, heaviest first; the ops are rows in the table below`}
          onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
          onPointerMove={(event) => setPointed(pointAt(event))}
          onPointerLeave={() => setPointed(undefined)}
          // A finger points at nothing before it touches.
          onClick={(event) => select(pointAt(event))}
        >
          <div style={{ height: lines * LANE_PX }}>
            <canvas ref={canvas} className={classes.canvas} style={{ height }} aria-hidden="true" />
          </div>
        </div>
        {pointed && (
          <div
            className={classes.tip}
            style={{ left: Math.max(0, Math.min(pointed.x + 12, width - TIP_PX)), top: pointed.y + 16 }}
            aria-hidden="true"
          >
            <b>{skeleton.ops[pointed.stack.op]?.name}</b>
            <p>
              {countOf(pointed.stack.calls, 'call')} ·{' '}
              <span className={classes.number}>{durationText(pointed.stack.weight)}</span> · self{' '}
              <span className={classes.number}>{durationText(pointed.stack.self)}</span>
            </p>
            {pointed.stack.errors > 0 && <p className={classes.error}>{countOf(pointed.stack.errors, 'error')}</p>}
          </div>
        )}
      </div>
      <OpTable trace={trace} scale={scale} selected={selected} onSelect={onSelect} />
    </div>
  );
}
