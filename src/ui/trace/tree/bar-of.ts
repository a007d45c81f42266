import type { TimeScale } from '../layout/time-scale.ts';

/** Where a bar is on its lane: shares of the lane, within what is shown of the trace. */
export interface Bar {
  readonly left: number;
  readonly width: number;
  /** Whether any of it is in what is shown. */
  readonly isShown: boolean;
}

export function barOf(scale: TimeScale, start: number, end: number): Bar {
  const left = clamp(scale.placeOf(start));
  const right = clamp(scale.placeOf(end));
  return { left, width: right - left, isShown: end >= scale.from && start <= scale.to };
}

/** Where a label stands, and what of it. */
export interface PlacedLabel {
  readonly side: 'after' | 'before';
  readonly text: LabelText;
}

const GAP_PX = 6;
/** Of a monospaced digit and of other letters, in 11 px; fonts differ, so a little more than measured. */
const DIGIT_PX = 6.8;
const LETTER_PX = 5.8;
const BETWEEN_PX = 8;

/**
 * A label is behind its bar, or in front of it where there is no room, and never on it. Where neither has room, the number
 * stands alone. `undefined`: not even that fits.
 *
 * @param room pixels behind the lane that labels may use
 */
export function placeLabel(bar: Bar, laneWidth: number, room: number, text: LabelText): PlacedLabel | undefined {
  const width = widthOf(text);
  if ((bar.left + bar.width) * laneWidth + width <= laneWidth + room) return { side: 'after', text };
  if (bar.left * laneWidth >= width) return { side: 'before', text };
  return text.more === undefined ? undefined : placeLabel(bar, laneWidth, room, { number: text.number });
}

function widthOf({ number, more }: LabelText): number {
  return GAP_PX + number.length * DIGIT_PX + (more === undefined ? 0 : BETWEEN_PX + more.length * LETTER_PX);
}

export interface LabelText {
  readonly number: string;
  readonly more?: string | undefined;
}

function clamp(place: number): number {
  return Math.min(1, Math.max(0, place));
}
