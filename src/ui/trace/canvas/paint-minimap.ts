import { initialFolds } from '../layout/folds.ts';
import type { IdleGap } from '../layout/idle-gaps.ts';
import { at } from '../../tree/numbers.ts';
import { CallState } from '../layout/skeleton.ts';
import type { TimeScale } from '../layout/time-scale.ts';
import type { TraceLayout } from '../layout/trace-layout.ts';
import { visibleRowsOf } from '../layout/visible-rows.ts';
import { runOfCode } from '../../tree/row-code.ts';
import { startPainting } from './paint.ts';
import { callKind } from '../tree/row-text.ts';
import { colourKind } from '../../controls/signs/kind-colour.ts';
import type { Colours } from './use-colours.ts';
import type { LaidOutTrace } from '../use-trace-layout.ts';

export interface MinimapPicture {
  readonly trace: LaidOutTrace;
  readonly scale: TimeScale;
  readonly colours: Colours;
  readonly width: number;
  readonly height: number;
}

/** Up to here each line of the tree has one here; more are drawn as in the flame chart. */
const MAX_OWN_LINES = 40;
const MAX_LINE_PX = 5;
const MIN_WIDTH_PX = 2;

export function paintMinimap(canvas: HTMLCanvasElement, picture: MinimapPicture): void {
  const { trace, scale, colours, width, height } = picture;
  const context = startPainting(canvas, width, height);
  if (!context) return;
  const { lineOf, lines, isThin } = linesOf(trace.layout);
  const step = Math.min(MAX_LINE_PX, (height - 4) / lines);
  const thickness = isThin ? 1 : Math.max(1, step - 1);
  const { start, end } = trace.layout.times;
  const paint = (isFailed: boolean): void => {
    for (let call = 0; call < trace.skeleton.count; call++) {
      if ((at(trace.skeleton.states, call) === CallState.error) !== isFailed) continue;
      const x = scale.placeOf(at(start, call)) * width;
      const isRunning = at(trace.skeleton.states, call) === CallState.running;
      const right = (isRunning ? 1 : scale.placeOf(at(end, call))) * width;
      context.fillStyle = isFailed ? colours.error : (colours.bar[colourKind(callKind(trace.skeleton, call))] ?? '');
      context.fillRect(
        x,
        2 + at(lineOf, call) * step,
        Math.max(MIN_WIDTH_PX, right - x),
        thickness + Number(isFailed && isThin),
      );
    }
  };
  paint(false);
  // Over all others: what failed is what one looks for.
  paint(true);
  for (const gap of scale.gaps) paintGap(context, picture, gap);
}

interface Lines {
  /** By call. */
  readonly lineOf: Int32Array;
  readonly lines: number;
  readonly isThin: boolean;
}

function linesOf(layout: TraceLayout): Lines {
  const rows = visibleRowsOf(layout, initialFolds(layout));
  if (rows.count > MAX_OWN_LINES) return { lineOf: layout.lanes.laneOf, lines: layout.lanes.count, isThin: false };
  const { tree, repeats } = layout;
  const lineOf = new Int32Array(tree.count);
  rows.code.forEach((code, row) => {
    if (code < tree.count) lineOf[code < 0 ? at(repeats.first, runOfCode(code)) : code] = row;
  });
  // What a line stands for is on it: repeats after their first, and what is below them.
  for (const call of tree.order) {
    const run = at(repeats.runOf, call);
    const parent = at(tree.parent, call);
    if (run >= 0) lineOf[call] = at(lineOf, at(repeats.first, run));
    else if (parent < tree.count && at(repeats.runOf, parent) >= 0) lineOf[call] = at(lineOf, parent);
  }
  return { lineOf, lines: rows.count, isThin: true };
}

function paintGap(
  context: CanvasRenderingContext2D,
  { scale, colours, width, height }: MinimapPicture,
  gap: IdleGap,
): void {
  const [from, to] = [scale.placeOf(gap.from) * width, scale.placeOf(gap.to) * width];
  context.fillStyle = colours.surface;
  context.fillRect(from, 0, to - from, height);
  context.fillStyle = colours.muted;
  context.font = `11px ${colours.font}`;
  context.textAlign = 'center';
  context.fillText('≈', (from + to) / 2, height / 2 + 4);
}
