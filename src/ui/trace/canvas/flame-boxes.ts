import { at } from '../../tree/numbers.ts';
import type { Lanes } from '../layout/lanes.ts';
import { CallState } from '../layout/skeleton.ts';
import type { TimeScale } from '../layout/time-scale.ts';

/** A rectangle of one call, or of several that are too thin to be drawn alone. */
export interface FlameBox {
  readonly lane: number;
  /** Pixels. */
  readonly x: number;
  readonly width: number;
  /** The first of its calls. */
  readonly call: number;
  readonly calls: number;
  /** Whether one of them failed itself: that is seen however thin it is, and no wider than what failed. */
  readonly isFailed: boolean;
}

export interface FlameInput {
  readonly lanes: Lanes;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly states: Uint8Array;
  readonly scale: TimeScale;
  /** Pixels. */
  readonly width: number;
  readonly firstLane: number;
  readonly lastLane: number;
}

/** Below this width a call is drawn together with its neighbours. */
const MERGED_BELOW_PX = 0.5;
/** As wide as what is merged is at least. */
const LEAST_PX = 1;

/** The rectangles of what is in sight, line by line from left to right. */
export function flameBoxes(input: FlameInput): FlameBox[] {
  const boxes: FlameBox[] = [];
  const last = Math.min(input.lastLane, input.lanes.count - 1);
  for (let lane = Math.max(0, input.firstLane); lane <= last; lane++) addLane(boxes, input, lane);
  return boxes;
}

interface Merged {
  x: number;
  right: number;
  call: number;
  calls: number;
  isFailed: boolean;
}

/** Is a thin call drawn with those before it? What failed is drawn by itself, with what lies in its own pixel. */
function isJoined(merged: Merged, x: number, isFailed: boolean): boolean {
  if (merged.isFailed && x < merged.x + LEAST_PX) return true;
  return merged.isFailed === isFailed && x - merged.right < LEAST_PX;
}

function addLane(boxes: FlameBox[], { lanes, start, end, states, scale, width }: FlameInput, lane: number): void {
  let merged: Merged | undefined;
  const flush = (): void => {
    if (!merged) return;
    const { right, ...rest } = merged;
    boxes.push({ ...rest, lane, width: Math.max(LEAST_PX, right - rest.x) });
    merged = undefined;
  };
  for (let index = at(lanes.offsets, lane); index < at(lanes.offsets, lane + 1); index++) {
    const call = at(lanes.calls, index);
    if (at(start, call) > scale.to) break;
    // What runs reaches to the edge: a layout is older than now.
    const until = at(states, call) === CallState.running ? scale.to : at(end, call);
    if (until < scale.from) continue;
    const x = Math.max(0, scale.placeOf(at(start, call)) * width);
    const isFailed = at(states, call) === CallState.error;
    const right = Math.min(width, scale.placeOf(until) * width);
    if (right - x >= MERGED_BELOW_PX) {
      flush();
      boxes.push({ lane, x, width: Math.max(LEAST_PX, right - x), call, calls: 1, isFailed });
    } else if (merged && isJoined(merged, x, isFailed)) {
      merged.right = Math.max(merged.right, right);
      merged.calls++;
    } else {
      flush();
      merged = { x, right, call, calls: 1, isFailed };
    }
  }
  flush();
}

/** The box under a point, if any. */
export function boxAt(boxes: readonly FlameBox[], lane: number, x: number): FlameBox | undefined {
  return boxes.find((box) => box.lane === lane && x >= box.x - 1 && x <= box.x + box.width + 1);
}

/** How many of the calls in sight are drawn together with others. */
export function mergedCount(boxes: readonly FlameBox[]): { readonly merged: number; readonly all: number } {
  let [merged, all] = [0, 0];
  for (const { calls } of boxes) {
    all += calls;
    if (calls > 1) merged += calls;
  }
  return { merged, all };
}
