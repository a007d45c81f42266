import type { ReactElement } from 'react';
import { lateLine } from '../../controls/late-part.tsx';
import { Popover } from '../../controls/popover.tsx';
import classes from './query-text.module.css';

const QueryText = lateLine(async () => (await import('./query-text.tsx')).QueryText);

export interface QueryButtonProps {
  readonly project: string;
  readonly q: string;
}

/** Shows what a filter becomes for programs. */
export function QueryButton(props: QueryButtonProps): ReactElement {
  return (
    <Popover
      label="The filter as a request"
      role="dialog"
      align="end"
      className={classes.pop}
      button={{ icon: 'code', className: 'wide', title: 'The filter as a request', label: 'The filter as a request' }}
    >
      {() => <QueryText {...props} />}
    </Popover>
  );
}
