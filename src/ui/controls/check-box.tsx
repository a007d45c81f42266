import type { ReactElement } from 'react';
import classes from './check-box.module.css';

export interface CheckBoxProps {
  readonly label: string;
  readonly isChecked: boolean | 'mixed';
  readonly onToggle: (isRange: boolean) => void;
}

/** 14 px, with 24 px around it that take the click. Not a tab stop: the grid around it is one, and has a key for it. */
export function CheckBox({ label, isChecked, onToggle }: CheckBoxProps): ReactElement {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isChecked}
      aria-label={label}
      tabIndex={-1}
      className={classes.target}
      onClick={(event) => {
        event.stopPropagation();
        onToggle(event.shiftKey);
      }}
    >
      <span className={classes.box}>
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
          <path d={isChecked === 'mixed' ? 'M2.5 6h7' : 'm2.5 6.5 2.5 2.5 4.5-5.5'} />
        </svg>
      </span>
    </button>
  );
}
