import { type ReactElement, useState } from 'react';
import { Button } from '../../controls/button.tsx';
import { Menu } from '../../controls/menu.tsx';
import { fieldText, instantIn } from '../../format/time-field.ts';
import { formatTime } from '../../format/time.ts';
import { printSpan, RANGES, rangeOf } from './range.ts';
import classes from './range-menu.module.css';

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

interface OwnRangeProps {
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly onChange: (value: string) => void;
}

function OwnRange({ after, before, onChange }: OwnRangeProps): ReactElement {
  const [from, setFrom] = useState(() => fieldText(after ?? Date.now() - 86_400_000));
  const [to, setTo] = useState(() => fieldText(before ?? Date.now()));
  const [a, b] = [instantIn(from), instantIn(to)];
  return (
    <form
      className={classes.own}
      onSubmit={(event) => {
        event.preventDefault();
        if (a < b) onChange(printSpan(a, b));
      }}
    >
      <label>
        From <input type="datetime-local" step="1" value={from} onChange={(event) => setFrom(event.target.value)} />
      </label>
      <label>
        To <input type="datetime-local" step="1" value={to} onChange={(event) => setTo(event.target.value)} />
      </label>
      <Button isSmall type="submit" disabled={!(a < b)}>
        Show
      </Button>
    </form>
  );
}
