import { durationText } from './duration-text.ts';
import type { ReactNode } from 'react';
import { lastPlace, mostTicks, type Tick, ticksOf, widthOf } from '../layout/ticks.ts';
import type { TimeScale } from '../layout/time-scale.ts';
import classes from './time-axis.module.css';

/** A tick so near to the middle of a gap would lie under its label, or have its own label there. */
const BEFORE_GAP_PX = 104;
const BEHIND_GAP_PX = 64;

interface TimeAxisProps {
  readonly scale: TimeScale;
  /** Pixels. */
  readonly width: number;
  /** Pixels behind the end, into which a label may reach. */
  readonly room: number;
}

export function TimeAxis({ scale, width, room }: TimeAxisProps): ReactNode {
  const gaps = scale.gaps.map((gap) => ({ ...gap, place: scale.placeOf((gap.from + gap.to) / 2) }));
  const isFree = (place: number): boolean =>
    gaps.every((gap) => {
      const behind = (place - gap.place) * width;
      return behind > BEHIND_GAP_PX || behind < -BEFORE_GAP_PX;
    });
  let end = 0;
  // In a narrow lane those would touch of which a wide one has room for more.
  const isApart = ({ place, label }: Tick): boolean => {
    if (width > 0 && place * width < end) return false;
    end = place * width + widthOf(label);
    return true;
  };
  return (
    <div className={classes.ticks} aria-hidden="true">
      {ticksOf(scale, mostTicks(width), lastPlace(width, room))
        .filter(({ place }) => isFree(place))
        .filter(isApart)
        .map(({ place, label }) => (
          <span key={place} className={classes.tick} style={{ left: `${place * 100}%` }}>
            {label}
          </span>
        ))}
      {gaps.map((gap) => (
        <span
          key={gap.from}
          className={classes.gap}
          style={{ left: `clamp(${BEHIND_GAP_PX}px, ${gap.place * 100}%, calc(100% - ${BEHIND_GAP_PX}px))` }}
        >
          ≈ {durationText(gap.to - gap.from)} idle
        </span>
      ))}
    </div>
  );
}
