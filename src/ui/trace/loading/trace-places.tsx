import type { ReactNode } from 'react';
import { PHONE, useMedia } from '../../shell/use-media.ts';
import { DetailPlace } from '../detail-pane.tsx';
import classes from './trace-places.module.css';

export interface TracePlacesProps {
  /** In the place of the tool bar. */
  readonly words?: ReactNode;
  /** The pane of a call will be beside the tree, and as wide as it is for its content. */
  readonly detail: 'none' | 'usual' | 'wide';
  /** In the place of the tree. */
  readonly children?: ReactNode;
}

/** The parts of a trace that is not there, each where it will be: nothing moves when it comes. */
export function TracePlaces({ words, detail, children }: TracePlacesProps): ReactNode {
  const isPhone = useMedia(PHONE);
  return (
    <>
      <div className={classes.toolbar}>{words}</div>
      <div className={classes.body}>
        <div className={classes.left}>
          <div className={classes.minimap} />
          <div className={classes.names}>Call</div>
          <div className={classes.lines}>{children}</div>
        </div>
        {detail !== 'none' && !isPhone && <DetailPlace isWide={detail === 'wide'} />}
      </div>
    </>
  );
}
