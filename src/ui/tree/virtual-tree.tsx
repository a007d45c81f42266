import { Fragment, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import { at } from './numbers.ts';
import { type TreeActions, runTreeKey } from './tree-keys.ts';
import type { LinePlace } from './tree-line.tsx';
import type { TreeWindow } from './use-tree-window.ts';
import classes from './virtual-tree.module.css';
import type { VisibleRows } from './visible-rows.ts';

export interface VirtualTreeProps {
  readonly label: string;
  readonly columnCount: number;
  readonly rows: VisibleRows;
  /** The code of the selected line. */
  readonly cursor: number;
  readonly window: TreeWindow;
  readonly actions: TreeActions;
  /** Above the lines, such as words where there are none. */
  readonly above?: ReactNode;
  /** The line of a code, a `TreeLine`. */
  readonly children: (code: number, place: LinePlace) => ReactNode;
}

/** A tree of any length: lines of one height below each other, with the keys of trees. */
export function VirtualTree(props: VirtualTreeProps): ReactElement {
  const { rows, cursor, window, actions } = props;
  const { rowPx, cursorRow, pageRows } = window;
  return (
    <div {...window.scroller} className={classes.scroller}>
      {props.above}
      <div
        role="treegrid"
        aria-label={props.label}
        aria-rowcount={rows.count}
        aria-colcount={props.columnCount}
        className={classes.grid}
        onKeyDown={(event) => isPlain(event) && runTreeKey(event.key, actions, pageRows) && event.preventDefault()}
        style={{ height: rows.count * rowPx, ['--line-px' as string]: `${rowPx}px` }}
      >
        {window.shown.map((row) => {
          const code = at(rows.code, row);
          const isSelected = code === cursor;
          const isTabStop = isSelected || (cursorRow === -1 && row === 0);
          return (
            <Fragment key={code}>
              {props.children(code, { rows, row, top: row * rowPx, isSelected, isTabStop })}
            </Fragment>
          );
        })}
      </div>
    </div>
  );
}

function isPlain({ shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return !(shiftKey || ctrlKey || metaKey || altKey);
}
