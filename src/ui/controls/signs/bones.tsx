import type { ReactElement } from 'react';
import classes from './bones.module.css';

export interface BoneProps {
  /** In px, or a share of what is around it: `60%`. */
  readonly width: number | `${number}%`;
}

/** A grey bar where text will be. */
export function Bone({ width }: BoneProps): ReactElement {
  return <i className={classes.bone} style={{ width }} />;
}
