import type { FlameBox } from './flame-boxes.ts';
import { at } from '../../tree/numbers.ts';
import { CallState } from '../layout/skeleton.ts';
import type { TimeScale } from '../layout/time-scale.ts';
import { paintLabel } from './paint-label.ts';
import { startPainting } from './paint.ts';
import { callKind, callName } from '../tree/row-text.ts';
import { colourKind } from '../../controls/signs/kind-colour.ts';
import type { Colours } from './use-colours.ts';
import type { LaidOutTrace } from '../use-trace-layout.ts';

export interface FlamePicture {
  readonly trace: LaidOutTrace;
  readonly scale: TimeScale;
  readonly boxes: readonly FlameBox[];
  readonly colours: Colours;
  readonly width: number;
  readonly height: number;
  readonly scrollTop: number;
  readonly selected: number | undefined;
  readonly path: Uint8Array | undefined;
  readonly found: ReadonlySet<number>;
}

export const LANE_PX = 24;
const BOX_PX = 22;
const EDGE_PX = 2;
const LEAST_TEXT_PX = 28;
const DIMMED = 0.5;

export function paintFlame(canvas: HTMLCanvasElement, picture: FlamePicture): void {
  const context = startPainting(canvas, picture.width, picture.height);
  if (!context) return;
  context.font = `11px ${picture.colours.font}`;
  context.textBaseline = 'middle';
  for (const box of picture.boxes) paintBox(context, picture, box);
  paintGaps(context, picture);
  const chosen = picture.boxes.find((box) => box.call === picture.selected);
  if (chosen) ring(context, picture, chosen);
}

function paintBox(context: CanvasRenderingContext2D, picture: FlamePicture, box: FlameBox): void {
  const { colours, path, found } = picture;
  const top = topOf(picture, box);
  const isFound = found.has(box.call);
  context.globalAlpha = (path && path[box.call] !== 1) || (found.size > 0 && !isFound) ? DIMMED : 1;
  // A pixel between neighbours, as long as there is one to spare.
  const width = box.width > 3 ? box.width - 1 : box.width;
  if (box.calls > 1) {
    context.fillStyle = box.isFailed ? colours.error : colours.volume;
    context.fillRect(box.x, top, Math.max(1, width), BOX_PX);
  } else {
    const kind = colourKind(callKind(picture.trace.skeleton, box.call));
    context.fillStyle = colours.box[kind] ?? '';
    context.fillRect(box.x, top, width, BOX_PX);
    context.fillStyle = colours.bar[kind] ?? '';
    context.fillRect(box.x, top, width, EDGE_PX);
    paintState(context, picture, box, width);
    if (width >= LEAST_TEXT_PX) paintName(context, picture, box, width);
  }
  context.globalAlpha = 1;
}

function paintState(context: CanvasRenderingContext2D, picture: FlamePicture, box: FlameBox, width: number): void {
  const state = at(picture.trace.skeleton.states, box.call);
  const { error, running, warn } = picture.colours;
  const colour = { [CallState.error]: error, [CallState.running]: running, [CallState.neverEnded]: warn }[state];
  if (colour === undefined) return;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.setLineDash(state === CallState.error ? [] : [4, 3]);
  context.strokeRect(box.x + 1, topOf(picture, box) + 1, Math.max(0, width - 2), BOX_PX - 2);
  context.setLineDash([]);
}

function paintName(context: CanvasRenderingContext2D, picture: FlamePicture, box: FlameBox, width: number): void {
  context.fillStyle = picture.colours.text;
  const y = topOf(picture, box) + BOX_PX / 2 + 1;
  paintLabel(context, callName(picture.trace.skeleton, box.call), { x: box.x, width, y });
}

function paintGaps(context: CanvasRenderingContext2D, { scale, colours, width, height }: FlamePicture): void {
  for (const gap of scale.gaps) {
    const [from, to] = [scale.placeOf(gap.from) * width, scale.placeOf(gap.to) * width];
    context.fillStyle = colours.bg;
    context.fillRect(from, 0, to - from, height);
    context.strokeStyle = colours.lineStrong;
    context.lineWidth = 1;
    context.setLineDash([3, 3]);
    for (const x of [from, to]) line(context, Math.round(x) + 0.5, height);
    context.setLineDash([]);
  }
}

function line(context: CanvasRenderingContext2D, x: number, height: number): void {
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
}

/** Around a box, and within the canvas where the box reaches its edge. */
function ring(context: CanvasRenderingContext2D, picture: FlamePicture, box: FlameBox): void {
  const { colours, width } = picture;
  for (const [colour, distance] of [
    [colours.bg, 1],
    [colours.accent, 3],
  ] as const) {
    const left = Math.max(1, box.x - distance);
    const right = Math.min(width - 1, box.x + box.width + distance - 1);
    context.lineWidth = 2;
    context.strokeStyle = colour;
    context.strokeRect(left, topOf(picture, box) - distance, Math.max(1, right - left), BOX_PX + 2 * distance);
  }
}

/** Four pixels above the first line, for the ring around it. */
function topOf({ scrollTop }: FlamePicture, box: FlameBox): number {
  return box.lane * LANE_PX - scrollTop + 4;
}
