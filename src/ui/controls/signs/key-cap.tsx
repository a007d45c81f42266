import type { ReactElement } from 'react';
import { useShownKeys } from '../../shell/shown-key.ts';
import classes from './key-cap.module.css';

export interface KeyCapProps {
  /** The keys that the command has by itself, such as `j`, `Escape` or `Mod+k`: the key that it has here is shown. */
  readonly keys: string;
}

/** The key of a command, as it stands on the keyboard. */
export function KeyCap({ keys }: KeyCapProps): ReactElement {
  const shown = useShownKeys();
  return <kbd className={classes.key}>{shown(keys)}</kbd>;
}
