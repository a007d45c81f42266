import { type ReactElement, useState } from 'react';
import { Button } from '../../controls/button.tsx';
import { fieldText, instantIn } from '../../format/time-field.ts';
import { shownZone } from '../../format/time.ts';
import { printSpan } from './range.ts';
import classes from './range-menu.module.css';

export interface OwnRangeProps {
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly onChange: (value: string) => void;
}

/** Two instants, by hand. */
export function OwnRange({ after, before, onChange }: OwnRangeProps): ReactElement {
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
      <p className="faint">Times in {shownZone()}</p>
      <Button isSmall type="submit" disabled={!(a < b)}>
        Show
      </Button>
    </form>
  );
}
