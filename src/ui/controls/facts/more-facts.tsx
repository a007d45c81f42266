import type { ReactElement, ReactNode } from 'react';
import { Popover } from '../popover.tsx';
import classes from './facts.module.css';

/** The button behind the facts of a line that leads to those that have no room in it. */
export function MoreFacts({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <Popover
      role="dialog"
      label="More facts"
      align="end"
      button={{
        icon: 'more',
        isGhost: true,
        isSmall: true,
        label: 'More facts',
        title: 'More facts',
        className: classes.more,
      }}
      className={classes.rest}
    >
      {() => children}
    </Popover>
  );
}
