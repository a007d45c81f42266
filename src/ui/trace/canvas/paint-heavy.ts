import type { CallTree } from '../layout/call-tree.ts';
import { type HeavyStack, isSameStack } from '../layout/heavy-stacks.ts';
import type { TraceSkeleton } from '../layout/skeleton.ts';
import { paintLabel } from './paint-label.ts';
import { startPainting } from './paint.ts';
import { formatCount } from '../../format/count.ts';
import { colourKind } from '../../controls/signs/kind-colour.ts';
import type { Colours } from './use-colours.ts';

export interface HeavyPicture {
  readonly skeleton: TraceSkeleton;
  readonly tree: CallTree;
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
const OUTLINE_PX = 2;

export function paintHeavy(canvas: HTMLCanvasElement, picture: HeavyPicture): void {
  const { stacks, total, colours, width, height, scrollTop } = picture;
  const context = startPainting(canvas, width, height);
  if (!context) return;
  context.font = `11px ${colours.font}`;
  context.textBaseline = 'middle';
  context.lineWidth = OUTLINE_PX;
  for (const stack of stacks) {
    const top = stack.depth * LANE_PX - scrollTop + 2;
    const stackWidth = (stack.weight / total) * width;
    if (top < -LANE_PX || top > height || stackWidth < LEAST_PX) continue;
    const place = { stack, top, x: (stack.from / total) * width, width: stackWidth - (stackWidth > 3 ? 1 : 0) };
    paintStack(context, picture, place);
    const isSelected = isOfStack(picture, stack);
    if (isSelected) outline(context, place, colours.accent, 0);
    // As a failed call in the flame graph, and inside the ring of what is selected.
    if (stack.errors > 0) outline(context, place, colours.error, isSelected ? OUTLINE_PX : 0);
  }
}

/** The calls of an op that were reached through the same ones are one stack, whatever models they ask. */
function isOfStack({ skeleton: { op }, tree, selected }: HeavyPicture, { heaviest }: HeavyStack): boolean {
  return selected !== undefined && isSameStack({ tree, op }, heaviest, selected);
}

interface Place {
  readonly stack: HeavyStack;
  readonly top: number;
  readonly x: number;
  readonly width: number;
}

function outline(context: CanvasRenderingContext2D, { x, top, width }: Place, colour: string, inset: number): void {
  const edge = inset + OUTLINE_PX / 2;
  context.strokeStyle = colour;
  context.strokeRect(x + edge, top + edge, Math.max(0, width - 2 * edge), BOX_PX - 2 * edge);
}

function paintStack(context: CanvasRenderingContext2D, picture: HeavyPicture, { stack, top, x, width }: Place): void {
  const { skeleton, colours } = picture;
  const op = skeleton.ops[stack.op];
  const kind = colourKind(op?.kind ?? 'other');
  context.fillStyle = colours.box[kind] ?? '';
  context.fillRect(x, top, width, BOX_PX);
  context.fillStyle = colours.bar[kind] ?? '';
  context.fillRect(x, top, width, 2);
  if (width < LEAST_TEXT_PX) return;
  context.fillStyle = colours.text;
  const name = op?.name ?? '';
  paintLabel(context, stack.calls > 1 ? `${name} × ${formatCount(stack.calls)}` : name, { x, width, y: top + 12 });
}
