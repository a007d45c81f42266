import type { KeyboardEvent, ReactElement, RefObject } from 'react';
import { formatCount } from '../format/count.ts';
import classes from './find-field.module.css';
import { Icon } from './signs/icon.tsx';
import { KeyCap } from './signs/key-cap.tsx';

/** Finds within things that are shown. */
export interface Find {
  readonly text: string;
  /** How many hold the text. */
  readonly count: number;
  /** The number of the found one that is selected, from 1; 0: none. */
  readonly position: number;
  readonly set: (text: string) => void;
  /** Goes on to the next, or back to the one before. */
  readonly step: (step: 1 | -1) => void;
}

export interface FindFieldProps {
  /** Its name: where it finds, and by which words. */
  readonly label: string;
  readonly placeholder: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly find: Find;
}

/** A field that finds within what is shown: Enter goes to the next, Escape empties it, then leaves it. */
export function FindField({ label, placeholder, field, find }: FindFieldProps): ReactElement {
  const { text, count, position, set, step } = find;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    else if (event.key !== 'Escape') return;
    else if (text === '') event.currentTarget.blur();
    else set('');
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={classes.find} role="search">
      <Icon name="search" />
      <input
        ref={field}
        type="text"
        value={text}
        placeholder={placeholder}
        aria-label={label}
        spellCheck={false}
        onChange={({ currentTarget }) => set(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {text === '' ? (
        <span className="wide">
          <KeyCap keys="/" />
        </span>
      ) : (
        <span className={classes.hits} role="status">
          {hitsText(count, position)}
        </span>
      )}
    </div>
  );
}

function hitsText(count: number, position: number): string {
  if (count === 0) return 'none';
  return `${position > 0 ? `${formatCount(position)} of ` : ''}${formatCount(count)}`;
}
