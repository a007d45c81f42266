import type { ReactElement } from 'react';
import classes from './segmented.module.css';

export interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly title?: string }[];
  readonly onChange: (value: T) => void;
}

/** A few choices side by side, one of them pressed. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>): ReactElement {
  return (
    <div className={classes.group} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          title={option.title}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
