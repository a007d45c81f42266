import { type ReactNode, useMemo } from 'react';
import { LABEL_ROOM } from './lane.tsx';
import { runsOnPath } from '../layout/critical-path.ts';
import type { Folds } from '../layout/folds.ts';
import { NONE } from '../layout/call-tree.ts';
import { at } from '../../tree/numbers.ts';
import type { TimeScale } from '../layout/time-scale.ts';
import { lastPlace, mostTicks, ticksOf } from '../layout/ticks.ts';
import { runOfCode } from '../../tree/row-code.ts';
import type { VisibleRows } from '../../tree/visible-rows.ts';
import { TimeAxis } from './time-axis.tsx';
import { treeColumns } from './tree-columns.ts';
import { TreeRow } from './tree-row.tsx';
import { useMedia } from '../../shell/use-media.ts';
import type { TreeActions } from '../../tree/tree-keys.ts';
import { useTreeWindow } from '../../tree/use-tree-window.ts';
import { VirtualTree } from '../../tree/virtual-tree.tsx';
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
  readonly actions: TreeActions;
}

const NARROW = '(max-width: 1100px)';
const PHONE_ROW_PX = 44;
const LANE_MARGIN_PX = 16;
const PHONE_LANE_MARGIN_PX = 12;

export function TraceTree(props: TraceTreeProps): ReactNode {
  const { trace, rows, folds, scale, cursor, path, found } = props;
  const isNarrow = useMedia(NARROW);
  const window = useTreeWindow({ rows, cursor, phoneRowPx: PHONE_ROW_PX });
  const { isPhone, width } = window;
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

  return (
    <div
      className={classes.pane}
      style={{
        ['--columns' as string]: isPhone ? undefined : `${columns.name}px ${columns.cost}px minmax(0, 1fr)`,
        ['--grid-lines' as string]: lines,
      }}
    >
      <div className={classes.axis}>
        <span>Call</span>
        <span>{columns.cost > 0 && 'Cost'}</span>
        <div className={classes.axisLane} style={{ marginRight: LABEL_ROOM + LANE_MARGIN_PX }}>
          <TimeAxis scale={scale} width={laneWidth} room={room} />
        </div>
      </div>
      <VirtualTree
        label="Calls of this trace"
        columnCount={3}
        rows={rows}
        cursor={cursor}
        window={window}
        actions={props.actions}
      >
        {(code, place) => (
          <TreeRow
            {...place}
            trace={trace}
            columns={columns}
            scale={scale}
            laneWidth={laneWidth}
            now={isMoving(trace, code) ? props.now : 0}
            isOpen={openState(trace, folds, code)}
            isDimmed={isOffPath(path, pathRuns, code)}
            wanted={found.has(code) ? props.wanted : ''}
            onSelect={props.onSelect}
            onToggle={props.onToggle}
          />
        )}
      </VirtualTree>
    </div>
  );
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
