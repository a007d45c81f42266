import type { ReactElement } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import { Menu } from '../controls/menu.tsx';
import { useFocusHandedOn } from '../controls/use-focus-handed-on.ts';
import { countOf } from '../format/count.ts';
import { FeedbackMenu } from './feedback-menu.tsx';
import classes from './selection-bar.module.css';
import type { Actions } from './use-actions.tsx';

export interface SelectionBarProps {
  readonly count: number;
  /** Of the whole filtered set. */
  readonly total: number | undefined;
  readonly actions: Pick<Actions, 'exportAs' | 'copy' | 'give' | 'remove'>;
  /** Shows what they have more or less often than the others of the filter. */
  readonly onWhy: () => void;
  /** Absent: they are not two. */
  readonly onCompare?: (() => void) | undefined;
  readonly onClear: () => void;
  /** The bar goes, and had the focus. */
  readonly onLeave: () => void;
}

/** The actions on the selected rows. */
export function SelectionBar(props: SelectionBarProps): ReactElement {
  const { count, total, onClear, onCompare } = props;
  const { exportAs, copy, give, remove } = props.actions;
  const bar = useFocusHandedOn<HTMLSpanElement>(props.onLeave);
  const all = total === undefined ? 'All of the filter' : `All ${countOf(total, 'call')} of the filter`;
  return (
    <span ref={bar} className={classes.bar}>
      <b>{count} selected</b>
      {onCompare !== undefined && (
        <Button id="compare" isSmall keyCap="d" onClick={onCompare}>
          Compare
        </Button>
      )}
      <Menu
        label="Export"
        side="above"
        button={{ id: 'export', isSmall: true, children: 'Export', keyCap: 'e' }}
        groups={[
          [
            { label: 'Selected as JSONL', onSelect: () => exportAs('jsonl', false) },
            { label: 'Selected as CSV', onSelect: () => exportAs('csv', false) },
          ],
          [
            { id: 'all-jsonl', label: `${all} as JSONL`, onSelect: () => exportAs('jsonl', true) },
            { id: 'all-csv', label: `${all} as CSV`, onSelect: () => exportAs('csv', true) },
          ],
        ]}
      />
      <Menu
        label="Copy as"
        side="above"
        button={{ id: 'copy-as', isSmall: true, children: 'Copy as…', keyCap: 'Y' }}
        groups={[
          [
            { label: 'Link', icon: 'copy', keyCap: 'y', onSelect: () => copy('link') },
            { label: 'Command line', icon: 'terminal', onSelect: () => copy('command') },
            { label: 'curl', icon: 'code', onSelect: () => copy('curl') },
            { label: 'TypeScript', icon: 'ops', onSelect: () => copy('typescript') },
          ],
          [{ label: 'Rows as JSON', icon: 'copy', onSelect: () => copy('json') }],
        ]}
      />
      <Button isSmall keyCap="w" onClick={props.onWhy}>
        What is different?
      </Button>
      <FeedbackMenu onGive={give} />
      <Button isSmall keyCap="#" onClick={remove}>
        Delete
      </Button>
      <IconButton icon="close" label="Clear the selection" keys="Escape" isSmall onClick={onClear} />
    </span>
  );
}
