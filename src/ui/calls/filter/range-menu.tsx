import type { ReactElement } from 'react';
import { lateLine } from '../../controls/late-part.tsx';
import { Menu } from '../../controls/menu.tsx';
import { formatTime } from '../../format/time.ts';
import { RANGES, rangeOf } from './range.ts';
import classes from './range-menu.module.css';

const OwnRange = lateLine(async () => (await import('./own-range.tsx')).OwnRange);

export interface RangeMenuProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The instant that a list begins with whose range has not gone on with the time. */
  readonly since?: number | undefined;
}

/** A menu of the time that is looked at. */
export function RangeMenu({ value, onChange, since }: RangeMenuProps): ReactElement {
  const range = rangeOf(value, Date.now());
  const label = since === undefined ? range.label : `Since ${formatTime(since, Date.now())}`;
  const isSpan = range.before !== undefined;
  return (
    <div className={classes.group}>
      <Menu
        label="Time range"
        button={{ icon: 'clock', hasMenu: true, children: label, title: 'Time range' }}
        groups={[
          RANGES.map((each) => ({
            label: each.label,
            isChosen: !isSpan && each.label === range.label,
            onSelect: () => onChange(each.value),
          })),
        ]}
      >
        <OwnRange after={range.after} before={range.before} onChange={onChange} />
      </Menu>
    </div>
  );
}
