import type { ReactElement } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import { Menu } from '../controls/menu.tsx';
import { useFocusHandedOn } from '../controls/use-focus-handed-on.ts';
import { countOf } from '../format/count.ts';
import type { ExportFormat } from '../data/export-calls.ts';
import type { GivenFeedback } from '../data/give-feedback.ts';
import type { CopyForm } from './call-actions.ts';
import { FeedbackMenu } from './feedback-menu.tsx';
import classes from './selection-bar.module.css';

export interface SelectionBarProps {
  readonly count: number;
  /** Of the whole filtered set. */
  readonly total: number | undefined;
  readonly onExport: (format: ExportFormat, isAll: boolean) => void;
  readonly onCopy: (as: CopyForm) => void;
  readonly onGive: (given: GivenFeedback) => void;
  readonly onDelete: () => void;
  readonly onClear: () => void;
  /** The bar goes, and had the focus. */
  readonly onLeave: () => void;
}

/** The actions on the selected rows. */
export function SelectionBar(props: SelectionBarProps): ReactElement {
  const { count, total, onExport, onCopy, onGive, onDelete, onClear } = props;
  const bar = useFocusHandedOn<HTMLSpanElement>(props.onLeave);
  const all = total === undefined ? 'All of the filter' : `All ${countOf(total, 'call')} of the filter`;
  return (
    <span ref={bar} className={classes.bar}>
      <b>{count} selected</b>
      <Menu
        label="Export"
        side="above"
        button={{ id: 'export', isSmall: true, children: 'Export', keyCap: 'e' }}
        groups={[
          [
            { label: 'Selected as JSONL', onSelect: () => onExport('jsonl', false) },
            { label: 'Selected as CSV', onSelect: () => onExport('csv', false) },
          ],
          [
            { id: 'all-jsonl', label: `${all} as JSONL`, onSelect: () => onExport('jsonl', true) },
            { id: 'all-csv', label: `${all} as CSV`, onSelect: () => onExport('csv', true) },
          ],
        ]}
      />
      <Menu
        label="Copy as"
        side="above"
        button={{ id: 'copy-as', isSmall: true, children: 'Copy as…', keyCap: 'Y' }}
        groups={[
          [
            { label: 'Link', icon: 'copy', keyCap: 'y', onSelect: () => onCopy('link') },
            { label: 'Command line', icon: 'terminal', onSelect: () => onCopy('command') },
            { label: 'curl', icon: 'code', onSelect: () => onCopy('curl') },
            { label: 'TypeScript', icon: 'open', onSelect: () => onCopy('typescript') },
          ],
          [{ label: 'Rows as JSON', icon: 'copy', onSelect: () => onCopy('json') }],
        ]}
      />
      <FeedbackMenu onGive={onGive} />
      <Button isSmall keyCap="#" onClick={onDelete}>
        Delete
      </Button>
      <IconButton icon="close" label="Clear the selection" keys="Escape" isSmall onClick={onClear} />
    </span>
  );
}
