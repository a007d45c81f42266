import { durationText } from './duration-text.ts';
import type { ReactNode } from 'react';
import { mostTicks, ticksOf } from '../layout/ticks.ts';
import type { TimeScale } from '../layout/time-scale.ts';
import classes from './time-axis.module.css';

/** A tick so near to the middle of a gap would lie under its label. */
const GAP_LABEL_PX = 64;
/** Of a digit, a little more than measured, and of what stands between a tick and its label. */
const DIGIT_PX = 7;
const BESIDE_PX = 4;

interface TimeAxisProps {
  readonly scale: TimeScale;
  /** Pixels. */
  readonly width: number;
  /** A label at the end may reach beyond it. @default false */
  readonly hasRoomBehind?: boolean;
}

export function TimeAxis({ scale, width, hasRoomBehind = false }: TimeAxisProps): ReactNode {
  const gaps = scale.gaps.map((gap) => ({ ...gap, place: scale.placeOf((gap.from + gap.to) / 2) }));
  const isFree = (place: number): boolean => gaps.every((gap) => Math.abs(gap.place - place) * width > GAP_LABEL_PX);
  // Behind the last tick a narrow window ends before its label.
  const isCut = (place: number, label: string): boolean =>
    !hasRoomBehind && (1 - place) * width < BESIDE_PX + label.length * DIGIT_PX;
  return (
    <div className={classes.ticks} aria-hidden="true">
      {ticksOf(scale, mostTicks(width), hasRoomBehind)
        .filter(({ place }) => isFree(place))
        .map(({ place, label }) => (
          <span
            key={place}
            className={`${classes.tick} ${isCut(place, label) ? classes.before : ''}`}
            style={{ left: `${place * 100}%` }}
          >
            {label}
          </span>
        ))}
      {gaps.map((gap) => (
        <span key={gap.from} className={classes.gap} style={{ left: `${gap.place * 100}%` }}>
          ≈ {durationText(gap.to - gap.from)} idle
        </span>
      ))}
    </div>
  );
}
