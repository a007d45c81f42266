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
      <Instant name="From" text={from} onChange={setFrom} />
      <Instant name="To" text={to} onChange={setTo} />
      <div>
        <span className="faint grow">{clockWords(shownZone())}</span>
        <Button isSmall type="submit" disabled={!(a < b)}>
          Show
        </Button>
      </div>
    </form>
  );
}

interface InstantProps {
  readonly name: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** As text: the field that browsers have for it follows their language, with months before days and two times twelve hours. */
function Instant({ name, text, onChange }: InstantProps): ReactElement {
  return (
    <label>
      {name}{' '}
      <input
        type="text"
        placeholder="2026-11-23 14:09:41"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={Number.isNaN(instantIn(text))}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

function clockWords(zone: string): string {
  return zone === 'UTC' ? 'UTC' : `Local time, ${zone}`;
}
