import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { LABEL_ROOM } from './lane.tsx';
import { runsOnPath } from '../layout/critical-path.ts';
import type { Folds } from '../layout/folds.ts';
import { NONE } from '../layout/call-tree.ts';
import { at } from '../layout/numbers.ts';
import type { TimeScale } from '../layout/time-scale.ts';
import { lastPlace, mostTicks, ticksOf } from '../layout/ticks.ts';
import { runOfCode, type VisibleRows } from '../layout/visible-rows.ts';
import { TimeAxis } from './time-axis.tsx';
import { treeColumns } from './tree-columns.ts';
import { rowId, TreeRow } from './tree-row.tsx';
import { keepInSight, rowsInSight } from '../../grid/rows-in-sight.ts';
import { PHONE, useMedia } from '../../shell/use-media.ts';
import { useRowHeight } from '../../shell/row-height.ts';
import { useSize } from '../../shell/use-size.ts';
import type { LaidOutTrace } from '../use-trace-layout.ts';
import classes from './trace-tree.module.css';

export interface TraceTreeProps {
  readonly trace: LaidOutTrace;
  readonly rows: VisibleRows;
  readonly folds: Folds;
  readonly scale: TimeScale;
  readonly now: number;
  /** The code of the selected line. */
  readonly cursor: number;
  /** 1 for each call of the critical path; the others are dimmed. */
  readonly path: Uint8Array | undefined;
  readonly found: ReadonlySet<number>;
  /** The words that the calls which were found hold. */
  readonly wanted: string;
  readonly onSelect: (code: number) => void;
  readonly onToggle: (code: number, isDeep: boolean) => void;
  /** True when the key did something. */
  readonly onKey: (key: string) => boolean;
}

const NARROW = '(max-width: 1100px)';
const PHONE_ROW_PX = 44;
const LANE_MARGIN_PX = 16;
const PHONE_LANE_MARGIN_PX = 12;

export function TraceTree(props: TraceTreeProps): ReactNode {
  const { trace, rows, folds, scale, cursor, path, found } = props;
  const [isPhone, isNarrow] = [useMedia(PHONE), useMedia(NARROW)];
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const { width, height } = useSize(scroller);
  const { px: usualPx } = useRowHeight();
  const rowPx = isPhone ? PHONE_ROW_PX : usualPx;
  const [first, setFirst] = useState(0);
  const deepest = useMemo(() => rows.depth.reduce((most, depth) => Math.max(most, depth), 0), [rows]);
  const columns = useMemo(
    () => treeColumns({ width, deepest, isPhone, isNarrow }),
    [width, deepest, isPhone, isNarrow],
  );
  // On a phone labels stand above the lanes, which are as wide as the list.
  const beside = isPhone ? 0 : columns.name + columns.cost + LABEL_ROOM;
  const margin = isPhone ? PHONE_LANE_MARGIN_PX : LANE_MARGIN_PX;
  const laneWidth = Math.max(0, width - beside - 2 * margin);
  // Words of the axis stay within it there, and out of the margin.
  const room = isPhone ? 0 : LABEL_ROOM + margin;
  const pathRuns = useMemo(() => path && runsOnPath(trace.layout.repeats, path), [path, trace]);
  const lines = useMemo(() => gridLines(scale, laneWidth, room), [scale, laneWidth, room]);
  const cursorRow = useMemo(() => rows.code.indexOf(cursor), [rows, cursor]);
  const shown = rowsInSight({ first, room: Math.ceil(height / rowPx), count: rows.count, kept: cursorRow });

  useLayoutEffect(() => {
    if (scroller !== null && height > 0) keepInSight(scroller, cursorRow, rowPx, height);
    // Only another selection moves the list: what grows or folds elsewhere leaves it where it is.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [cursor, height > 0]);
  // A row that is gone before the next one is here takes the focus with it, and says nothing of it.
  const hasFocus = useRef(false);
  useEffect(() => {
    const isLost = hasFocus.current && document.activeElement === document.body;
    if (isLost || scroller?.contains(document.activeElement))
      document.getElementById(rowId(cursor))?.focus({ preventScroll: true });
  }, [cursor, scroller]);

  return (
    <div
      className={classes.pane}
      style={{ ['--columns' as string]: isPhone ? undefined : `${columns.name}px ${columns.cost}px minmax(0, 1fr)` }}
    >
      <div className={classes.axis}>
        <span>Call</span>
        <span>{columns.cost > 0 && 'Cost'}</span>
        <div className={classes.axisLane} style={{ marginRight: LABEL_ROOM + LANE_MARGIN_PX }}>
          <TimeAxis scale={scale} width={laneWidth} room={room} />
        </div>
      </div>
      <div
        ref={setScroller}
        className={classes.scroller}
        onFocus={() => (hasFocus.current = true)}
        onBlur={() => (hasFocus.current = false)}
        onScroll={({ currentTarget }) => setFirst(Math.floor(currentTarget.scrollTop / rowPx))}
      >
        <div
          role="treegrid"
          aria-label="Calls of this trace"
          aria-rowcount={rows.count}
          aria-colcount={3}
          className={classes.grid}
          onKeyDown={(event) => isPlain(event) && props.onKey(event.key) && event.preventDefault()}
          style={{ height: rows.count * rowPx, ['--grid-lines' as string]: lines }}
        >
          {shown.map((row) => {
            const code = at(rows.code, row);
            return (
              <TreeRow
                key={code}
                trace={trace}
                rows={rows}
                row={row}
                top={row * rowPx}
                columns={columns}
                scale={scale}
                laneWidth={laneWidth}
                now={isMoving(trace, code) ? props.now : 0}
                isOpen={openState(trace, folds, code)}
                isSelected={code === cursor}
                isTabStop={code === cursor || (cursorRow === NONE && row === 0)}
                isDimmed={isOffPath(path, pathRuns, code)}
                wanted={found.has(code) ? props.wanted : ''}
                onSelect={props.onSelect}
                onToggle={props.onToggle}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function isPlain({ shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return !(shiftKey || ctrlKey || metaKey || altKey);
}

/** The ticks of the axis as the background of all lanes. */
function gridLines(scale: TimeScale, laneWidth: number, room: number): string {
  const stops = ticksOf(scale, mostTicks(laneWidth), lastPlace(laneWidth, room)).flatMap(({ place }) => {
    const from = `${place * 100}%`;
    const to = `calc(${from} + 1px)`;
    return [`transparent ${from}`, `var(--line-soft) ${from}`, `var(--line-soft) ${to}`, `transparent ${to}`];
  });
  return `linear-gradient(to right, ${[...stops, 'transparent 0'].join(', ')})`;
}

/** `undefined`: there is nothing to unfold. */
export function openState({ layout: { tree } }: LaidOutTrace, folds: Folds, code: number): boolean | undefined {
  const run = runOfCode(code);
  if (run !== NONE) return folds.runs[run] === 1;
  if (code === tree.detached) return folds.isDetachedOpen;
  return at(tree.firstChild, code) === NONE ? undefined : folds.calls[code] === 1;
}

function isOffPath(path: Uint8Array | undefined, runs: Uint8Array | undefined, code: number): boolean {
  const run = runOfCode(code);
  return path !== undefined && (run === NONE ? path[code] : runs?.[run]) !== 1;
}

/** Only lines of what runs are drawn again as time goes by. */
function isMoving({ skeleton }: LaidOutTrace, code: number): boolean {
  return Number.isNaN(skeleton.endedAt[code] ?? 0);
}
