import { memo, type MouseEvent, type ReactElement, type ReactNode, type RefObject } from 'react';
import { CheckBox } from '../controls/check-box.tsx';
import type { Column } from './column.ts';
import type { GridState } from './use-grid.ts';
import classes from './virtual-grid.module.css';

export interface GridRowProps<Row> {
  readonly id: string;
  readonly row: Row;
  readonly index: number;
  readonly rowPx: number;
  /** Widths of the columns. */
  readonly template: string;
  readonly columns: readonly Column<Row>[];
  readonly isSelected: boolean;
  readonly isTabStop: boolean;
  readonly isOpen: boolean;
  readonly className: string | undefined;
  readonly phoneRow: ((row: Row, isSelected: boolean) => ReactNode) | undefined;
  /** The grid of a row, and what the row does when it is used. */
  readonly latest: RefObject<{
    readonly grid: GridState;
    readonly onPeek: (row: Row) => void;
    readonly onOpen: (row: Row) => void;
  }>;
}

export type Style = Readonly<Record<string, string | number>>;

export function styleOf(index: number, rowPx: number, template: string): Style {
  return { height: rowPx, transform: `translateY(${index * rowPx}px)`, gridTemplateColumns: template };
}

/** One row of a list; drawn again only when something of it has changed, as a scroll changes which rows are there. */
export const GridRow = memo(GridRowOf) as typeof GridRowOf;

function GridRowOf<Row>(props: GridRowProps<Row>): ReactElement {
  const { id, row, index, isSelected, isTabStop, isOpen, className, columns, phoneRow, latest } = props;
  const names = [classes.row, phoneRow && classes.phone, isOpen && classes.open, className];
  const onClick = (event: MouseEvent) => {
    // The name is a link, and text that was marked is to be copied.
    if (event.target instanceof Element && event.target.closest('a') !== null) return;
    if (getSelection()?.isCollapsed === false) return;
    const { grid, onOpen, onPeek } = latest.current;
    grid.focus(id);
    if (event.metaKey || event.ctrlKey) onOpen(row);
    else if (event.shiftKey) grid.toggle(id, true);
    else onPeek(row);
  };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      className={names.filter(Boolean).join(' ')}
      style={styleOf(index, props.rowPx, props.template)}
      onClick={onClick}
      onFocus={() => latest.current.grid.focus(id)}
    >
      {phoneRow === undefined ? (
        <>
          <div role="gridcell" className={classes.check}>
            <CheckBox
              label="Select"
              isChecked={isSelected}
              onToggle={(isRange) => latest.current.grid.toggle(id, isRange)}
            />
          </div>
          {columns.map(({ id: column, className: cellClass, isNumber, cell }) => (
            <div
              key={column}
              role="gridcell"
              className={[classes.cell, isNumber && classes.number, cellClass].filter(Boolean).join(' ')}
            >
              {cell(row)}
            </div>
          ))}
        </>
      ) : (
        <div role="gridcell">{phoneRow(row, isSelected)}</div>
      )}
    </div>
  );
}
