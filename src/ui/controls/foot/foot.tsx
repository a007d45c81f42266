import type { ReactElement, ReactNode } from 'react';
import classes from './foot.module.css';

export interface FootProps {
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The last line of a page: what it adds up to, or its keys. */
export function Foot({ className, children }: FootProps): ReactElement {
  return <footer className={[classes.foot, className].filter(Boolean).join(' ')}>{children}</footer>;
}
