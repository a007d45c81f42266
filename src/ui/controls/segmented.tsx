import type { ReactElement } from 'react';
import { useShownKeys } from '../shell/shown-key.ts';
import classes from './segmented.module.css';

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  /** More than the label says. */
  readonly title?: string;
  /** Its key, as the command has it by itself; told to who points at it. */
  readonly keys?: string;
}

export interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly Choice<T>[];
  readonly onChange: (value: T) => void;
}

/** A few choices side by side, one of them pressed. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>): ReactElement {
  const shown = useShownKeys();
  return (
    <div className={classes.group} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          title={option.keys === undefined ? option.title : `${option.label} (${shown(option.keys)})`}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
