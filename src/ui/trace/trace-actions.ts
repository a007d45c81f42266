import type { Cursor } from './use-cursor.ts';
import { stepAmong } from './layout/find-calls.ts';
import { at } from '../tree/numbers.ts';
import { inStartOrder, samePeer, sibling } from './layout/scrub.ts';
import type { TimeScale } from './layout/time-scale.ts';
import type { VisibleRows } from '../tree/visible-rows.ts';
import { pan } from './canvas/minimap.tsx';
import { treeActions } from '../tree/tree-actions.ts';
import type { ChangeAddress, Zoom } from './trace-address.ts';
import type { TraceActions } from './trace-keys.ts';
import { openState } from './tree/trace-tree.tsx';
import type { LaidOutTrace } from './use-trace-layout.ts';

export interface ActionsInput {
  readonly trace: LaidOutTrace;
  readonly rows: VisibleRows;
  readonly cursor: Cursor;
  readonly errors: Int32Array;
  /** Of the whole trace. */
  readonly whole: TimeScale;
  readonly zoom: Zoom | undefined;
  readonly change: ChangeAddress;
  readonly find: () => void;
  readonly back: () => void;
  readonly open: () => void;
  readonly compare: (() => void) | undefined;
  readonly pause: (() => void) | undefined;
}

const LEAST_ZOOM_US = 20;
/** Beside a call that is zoomed to, as a share of its length. */
const ZOOM_MARGIN = 0.08;

export function traceActions(input: ActionsInput): TraceActions {
  const { trace, rows, cursor, errors, whole, zoom, change } = input;
  const { skeleton, layout } = trace;
  const { tree, times } = layout;
  const shown = zoom ?? { from: whole.from, to: whole.to };
  const goTo = (call: number | undefined): void => {
    if (call !== undefined) cursor.select(call, 'replace');
  };
  const moves = treeActions({ rows, cursor, isOpen: () => openState(trace, cursor.folds, cursor.code) });
  const zoomTo = (wanted: Zoom | undefined): void => change({ zoom: wanted && within(whole, wanted) }, 'replace');
  return {
    ...moves,
    error: (step) => goTo(stepAmong(errors, tree, cursor.call, step)),
    peer: (step) => goTo(samePeer(skeleton.op, cursor.call, step)),
    sibling: (step) => goTo(sibling(tree, cursor.call, step)),
    start: (step) => goTo(inStartOrder(tree.count, cursor.call, step)),
    parent: () => at(tree.parent, cursor.call) < tree.count && goTo(at(tree.parent, cursor.call)),
    form: (as) => change({ as }, 'push'),
    zoom: (factor) => zoomTo(zoomAround(whole, shown, factor, centreOf(trace, cursor.call, shown))),
    pan: (share) => zoom && zoomTo(pan(whole, zoom, share * (whole.placeOf(zoom.to) - whole.placeOf(zoom.from)))),
    fit: () => zoomTo(undefined),
    zoomToCall: () => {
      const [from, to] = [at(times.start, cursor.call), at(times.end, cursor.call)];
      const margin = Math.max(LEAST_ZOOM_US, (to - from) * ZOOM_MARGIN);
      zoomTo({ from: from - margin, to: to + margin });
    },
    find: input.find,
    back: input.back,
    open: input.open,
    compare: input.compare,
    pause: input.pause,
  };
}

/** The stretch that is a factor as long, with an instant staying where it is. */
export function zoomAround(whole: TimeScale, shown: Zoom, factor: number, around: number): Zoom | undefined {
  const wanted = { from: around - (around - shown.from) * factor, to: around + (shown.to - around) * factor };
  if (wanted.to - wanted.from < LEAST_ZOOM_US) return shown;
  return within(whole, wanted);
}

/** `undefined` when it is everything. */
function within(whole: TimeScale, { from, to }: Zoom): Zoom | undefined {
  const cut = { from: Math.max(whole.from, from), to: Math.min(whole.to, to) };
  return cut.from <= whole.from && cut.to >= whole.to ? undefined : cut;
}

/** The selected call as far as it is in sight, else the middle. */
function centreOf({ layout: { times } }: LaidOutTrace, call: number, shown: Zoom): number {
  const from = Math.max(shown.from, at(times.start, call));
  const to = Math.min(shown.to, at(times.end, call));
  return to >= from ? (from + to) / 2 : (shown.from + shown.to) / 2;
}
