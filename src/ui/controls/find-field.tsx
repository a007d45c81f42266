import type { KeyboardEvent, ReactElement, RefObject } from 'react';
import { formatCount } from '../format/count.ts';
import classes from './find-field.module.css';
import { Icon } from './signs/icon.tsx';
import { KeyCap } from './signs/key-cap.tsx';

export interface FindFieldProps {
  /** Its name: where it finds, and by which words. */
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly count: number;
  /** The number of the found one that is selected, from 1; 0: none. */
  readonly position: number;
  readonly onFind: (text: string) => void;
  readonly onStep: (step: 1 | -1) => void;
  readonly onBlur?: () => void;
}

/** A field that finds within what is shown: Enter goes to the next, Escape empties it, then leaves it. */
export function FindField(props: FindFieldProps): ReactElement {
  const { label, placeholder, text, field, count, position, onFind, onStep, onBlur } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
    else if (event.key !== 'Escape') return;
    else if (text === '') event.currentTarget.blur();
    else onFind('');
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
        onChange={({ currentTarget }) => onFind(currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
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
