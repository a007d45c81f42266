import type { ReactNode } from 'react';
import { KeysFoot } from '../../controls/foot/keys-foot.tsx';
import { PHONE, useMedia } from '../../shell/use-media.ts';
import { DetailPlace } from '../detail-pane.tsx';
import classes from './trace-places.module.css';

export interface TracePlacesProps {
  /** In the place of the tool bar. Without it the place is not there. */
  readonly toolbar?: ReactNode;
  /** In that of the small picture of the whole trace, and as it. */
  readonly minimap?: ReactNode;
  /** The pane of a call will be beside the tree. */
  readonly hasDetail: boolean;
  /** In its place. */
  readonly detail?: ReactNode;
  /** In the place of the tree. */
  readonly children?: ReactNode;
}

/** The parts of a trace that is not there, each where it will be. */
export function TracePlaces({ toolbar, minimap, hasDetail, detail, children }: TracePlacesProps): ReactNode {
  const isPhone = useMedia(PHONE);
  return (
    <>
      {toolbar !== undefined && <div className={classes.toolbar}>{toolbar}</div>}
      <div className={classes.body}>
        <div className={classes.left}>
          {minimap !== undefined && <div className={classes.minimap}>{minimap}</div>}
          <div className={classes.names}>Call</div>
          <div className={classes.lines}>{children}</div>
          {isPhone && hasDetail && minimap !== undefined && <div className={classes.sheet} />}
          <KeysFoot />
        </div>
        {hasDetail && !isPhone && <DetailPlace>{detail}</DetailPlace>}
      </div>
    </>
  );
}
