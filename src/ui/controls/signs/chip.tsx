import type { ReactElement, ReactNode } from 'react';
import classes from './chip.module.css';

export interface ChipProps {
  readonly tone?: 'plain' | 'ok' | 'warn' | 'err' | 'run';
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

/** A short fact in a box. */
export function Chip({ tone = 'plain', title, children }: ChipProps): ReactElement {
  return (
    <span className={`${classes.chip} ${classes[tone]}`} title={title}>
      {children}
    </span>
  );
}
