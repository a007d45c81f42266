import { fitText } from './fit-text.ts';

/** Between the edges of a box and its name. */
const MARGIN_PX = 4;

export interface LabelPlace {
  readonly x: number;
  /** Of the whole box. */
  readonly width: number;
  /** Middle of the line. */
  readonly y: number;
}

/** The name of a box within it, cut at the end where it is too long. */
export function paintLabel(context: CanvasRenderingContext2D, text: string, { x, width, y }: LabelPlace): void {
  const fitting = fitText(text, width - 2 * MARGIN_PX, (part) => context.measureText(part).width);
  context.fillText(fitting, x + MARGIN_PX, y);
}
