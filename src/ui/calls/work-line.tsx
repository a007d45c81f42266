import type { ReactElement } from 'react';
import { Button } from '../controls/button.tsx';
import { useFocusHandedOn } from '../controls/use-focus-handed-on.ts';
import type { Underway } from './call-actions.ts';
import classes from './selection-bar.module.css';

export interface WorkLineProps {
  readonly work: Underway;
  /** Its project, where that is another than the one that is shown. */
  readonly of?: string | undefined;
  /** It is over, and its button had the focus. */
  readonly onLeave: () => void;
}

/** The work that is under way, how far it is, and a way to stop it. */
export function WorkLine({ work, of, onLeave }: WorkLineProps): ReactElement {
  const line = useFocusHandedOn<HTMLSpanElement>(onLeave);
  const what = of === undefined ? work.doing : `${work.doing} in ${of}`;
  return (
    <span ref={line} className={classes.bar}>
      <span>
        {what}, <span className="num">{work.far}</span>
      </span>
      <Button isSmall aria-label={`Cancel: ${what}`} onClick={work.stop}>
        Cancel
      </Button>
    </span>
  );
}
