import type { ReactElement } from 'react';
import classes from './key-cap.module.css';

/** One key, such as `j`, `Esc` or `⌘K`. */
export function KeyCap({ children }: { readonly children: string }): ReactElement {
  return <kbd className={classes.key}>{children}</kbd>;
}
