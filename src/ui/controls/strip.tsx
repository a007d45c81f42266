import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './signs/icon.tsx';
import classes from './strip.module.css';

export interface StripProps {
  readonly tone: 'err' | 'warn';
  readonly icon?: IconName;
  /** Buttons at its end. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A word on what went wrong, at the top of the pane: what was shown below it stays. */
export function Strip({ tone, icon = 'warning', actions, children }: StripProps): ReactElement {
  return (
    <div className={`${classes.strip} ${classes[tone]}`} role={tone === 'err' ? 'alert' : 'status'}>
      <Icon name={icon} className={tone} />
      <span className={`grow cut ${classes.words}`}>{children}</span>
      {actions}
    </div>
  );
}
