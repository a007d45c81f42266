import type { ReactElement } from 'react';
import { lateLine } from '../../controls/late-part.tsx';
import { Popover } from '../../controls/popover.tsx';
import classes from './view-menu.module.css';

const ViewList = lateLine(async () => (await import('./view-list.tsx')).ViewList);

export interface ViewMenuProps {
  readonly project: string;
  /** The query string that would be saved. */
  readonly query: string;
  readonly columns: readonly string[];
}

/** Filters that were given a name, for everyone of the project and the command line. */
export function ViewMenu(props: ViewMenuProps): ReactElement {
  return (
    <Popover
      label="Views"
      role="dialog"
      align="end"
      className={classes.pop}
      button={{ icon: 'bookmark', className: 'wide', children: 'Views' }}
    >
      {(close) => <ViewList {...props} close={close} />}
    </Popover>
  );
}
