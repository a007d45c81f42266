import type { ReactElement } from 'react';
import classes from './bones.module.css';

/** A grey bar where text will be. */
export function Bone({ width }: { readonly width: number }): ReactElement {
  return <i className={classes.bone} style={{ width }} />;
}
