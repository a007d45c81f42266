import type { ReactElement } from 'react';
import { Link } from 'wouter';
import classes from './button.module.css';
import { Icon, type IconName } from './signs/icon.tsx';
import { KeyCap } from './signs/key-cap.tsx';

export interface LinkButtonProps {
  readonly icon: IconName;
  /** A path of ours. */
  readonly href: string;
  readonly keyCap?: string;
  readonly children: string;
}

/** Goes to another page, and looks like what is done on this one. */
export function LinkButton({ icon, href, keyCap, children }: LinkButtonProps): ReactElement {
  return (
    <Link className={`${classes.button} ${classes.small}`} href={href}>
      <Icon name={icon} />
      {children}
      {keyCap !== undefined && <KeyCap keys={keyCap} />}
    </Link>
  );
}
