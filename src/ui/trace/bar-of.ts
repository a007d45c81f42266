import type { TimeScale } from './layout/time-scale.ts';

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

export type LabelSide = 'after' | 'before' | 'none';

const GAP_PX = 6;
/** Of a monospaced digit and of other letters, in 11 px; fonts differ, so a little more than measured. */
const DIGIT_PX = 6.8;
const LETTER_PX = 5.8;
const BETWEEN_PX = 8;

/**
 * A label is behind its bar, or in front of it where there is no room, and never on it.
 *
 * @param room pixels behind the lane that labels may use
 */
export function labelSide(bar: Bar, laneWidth: number, room: number, label: LabelText): LabelSide {
  const width = GAP_PX + label.number.length * DIGIT_PX + (label.more ? BETWEEN_PX + label.more.length * LETTER_PX : 0);
  if ((bar.left + bar.width) * laneWidth + width <= laneWidth + room) return 'after';
  return bar.left * laneWidth >= width ? 'before' : 'none';
}

export interface LabelText {
  readonly number: string;
  readonly more?: string | undefined;
}

function clamp(place: number): number {
  return Math.min(1, Math.max(0, place));
}
