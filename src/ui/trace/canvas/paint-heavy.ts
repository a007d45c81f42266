import type { HeavyStack } from '../layout/heavy-stacks.ts';
import type { TraceSkeleton } from '../layout/skeleton.ts';
import { paintLabel } from './paint-label.ts';
import { startPainting } from './paint.ts';
import { formatCount } from '../../format/count.ts';
import { colourKind } from '../../controls/signs/kind-colour.ts';
import type { Colours } from './use-colours.ts';

export interface HeavyPicture {
  readonly skeleton: TraceSkeleton;
  readonly stacks: readonly HeavyStack[];
  readonly total: number;
  readonly colours: Colours;
  readonly width: number;
  readonly height: number;
  readonly scrollTop: number;
  readonly selected: number | undefined;
}

export const LANE_PX = 24;
const BOX_PX = 22;
const LEAST_TEXT_PX = 28;
const LEAST_PX = 0.5;

export function paintHeavy(canvas: HTMLCanvasElement, picture: HeavyPicture): void {
  const { skeleton, stacks, total, colours, width, height, scrollTop, selected } = picture;
  const context = startPainting(canvas, width, height);
  if (!context) return;
  context.font = `11px ${colours.font}`;
  context.textBaseline = 'middle';
  for (const stack of stacks) {
    const top = stack.depth * LANE_PX - scrollTop + 2;
    const stackWidth = (stack.weight / total) * width;
    if (top < -LANE_PX || top > height || stackWidth < LEAST_PX) continue;
    paintStack(context, picture, {
      stack,
      top,
      x: (stack.from / total) * width,
      width: stackWidth - (stackWidth > 3 ? 1 : 0),
    });
    // The calls of an op are one stack, whatever models they ask.
    if (selected === undefined || stack.op !== skeleton.op[selected]) continue;
    context.strokeStyle = colours.accent;
    context.lineWidth = 2;
    context.strokeRect((stack.from / total) * width + 1, top + 1, Math.max(0, stackWidth - 3), BOX_PX - 2);
  }
}

interface Place {
  readonly stack: HeavyStack;
  readonly top: number;
  readonly x: number;
  readonly width: number;
}

function paintStack(context: CanvasRenderingContext2D, picture: HeavyPicture, { stack, top, x, width }: Place): void {
  const { skeleton, colours } = picture;
  const op = skeleton.ops[stack.op];
  const kind = colourKind(op?.kind ?? 'other');
  context.fillStyle = colours.box[kind] ?? '';
  context.fillRect(x, top, width, BOX_PX);
  context.fillStyle = stack.errors > 0 ? colours.error : (colours.bar[kind] ?? '');
  context.fillRect(x, top, width, 2);
  if (width < LEAST_TEXT_PX) return;
  context.fillStyle = colours.text;
  const name = op?.name ?? '';
  paintLabel(context, stack.calls > 1 ? `${name} × ${formatCount(stack.calls)}` : name, { x, width, y: top + 12 });
}
