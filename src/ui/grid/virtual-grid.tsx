import {
  type ReactElement,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { CheckBox } from '../controls/check-box.tsx';
import { Icon } from '../controls/signs/icon.tsx';
import { BoneRow } from './bone-row.tsx';
import type { Column } from './column.ts';
import { GridRow, styleOf } from './grid-row.tsx';
import { keepInSight, rowsInSight } from './rows-in-sight.ts';
import type { GridState } from './use-grid.ts';
import { useSize } from '../shell/use-size.ts';
import classes from './virtual-grid.module.css';

export interface GridSorting {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

export interface VirtualGridProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Rows of the list above these, which are not loaded any more. */
  readonly above: number;
  readonly idOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  /** With those that are not loaded. */
  readonly rowCount: number;
  readonly rowPx: number;
  readonly grid: GridState;
  /** Of the row in the panel beside it. */
  readonly openId?: string | undefined;
  readonly sorting: GridSorting;
  readonly onSort: (field: string) => void;
  readonly onPeek: (row: Row) => void;
  readonly onOpen: (row: Row) => void;
  /** Rows above are wanted, as far as one by its number. */
  readonly onStart: ((row: number) => void) | undefined;
  /** More rows are wanted; `false` when there are none. */
  readonly onEnd: (() => void) | undefined;
  /** Rows that are on their way: bars stand where they will be. */
  readonly bones: number;
  readonly phoneRow?: ((row: Row, isSelected: boolean) => ReactNode) | undefined;
  readonly rowClass?: (row: Row) => string | undefined;
  readonly scroller: (element: HTMLDivElement | null) => void;
  readonly onScroll: (top: number) => void;
}

/** Rows before the end at which the next page is asked for. */
const AHEAD = 80;

/** A list of any length: only the rows that are seen are there, and the one with the focus. */
export function VirtualGrid<Row>(props: VirtualGridProps<Row>): ReactElement {
  const { rows, above, columns, rowPx, grid, idOf, bones, phoneRow, onStart, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [first, setFirst] = useState(0);
  const [pane, setPane] = useState<HTMLDivElement | null>(null);
  const { height } = useSize(pane);
  const { scroller: tellScroller } = props;
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element;
      setPane(element);
      tellScroller(element);
    },
    [tellScroller],
  );
  const placeOfFocus = useMemo(() => rows.findIndex((row) => idOf(row) === grid.focused), [rows, idOf, grid.focused]);
  const focusedAt = placeOfFocus < 0 ? placeOfFocus : above + placeOfFocus;
  const end = above + rows.length;
  const count = end + bones;
  const shown = rowsInSight({ first, room: Math.ceil(height / rowPx), count, kept: focusedAt });
  useFocusFollows(scroller, grid.active, focusedAt, rowPx);
  const last = Math.min(count, first + Math.ceil(height / rowPx));
  useEffect(() => {
    if (last >= end - AHEAD && first <= end) onEnd?.();
  }, [first, last, end, onEnd]);
  useEffect(() => {
    if (first < above + AHEAD) onStart?.(Math.max(0, first - AHEAD));
  }, [first, above, onStart]);

  const template = ['36px', ...columns.map(({ width }) => width)].join(' ');
  return (
    <div
      role="grid"
      aria-label={props.label}
      aria-rowcount={props.rowCount + 1}
      aria-multiselectable="true"
      className={classes.grid}
    >
      {phoneRow === undefined && <Head {...props} template={template} />}
      <div
        ref={attach}
        role="rowgroup"
        className={classes.scroller}
        onScroll={({ currentTarget }) => {
          setFirst(Math.floor(currentTarget.scrollTop / rowPx));
          props.onScroll(currentTarget.scrollTop);
        }}
      >
        <div className={classes.all} style={{ height: count * rowPx }}>
          {shown.map((index) => {
            const row = rows[index - above];
            if (row === undefined)
              return (
                <BoneRow
                  key={`bone-${index}`}
                  columns={phoneRow === undefined ? columns : undefined}
                  index={index}
                  style={styleOf(index, rowPx, template)}
                />
              );
            const id = idOf(row);
            return (
              <GridRow
                key={id}
                id={id}
                row={row}
                index={index}
                rowPx={rowPx}
                template={template}
                columns={columns}
                isSelected={grid.selected.has(id)}
                isTabStop={id === grid.focused}
                isOpen={id === props.openId}
                className={props.rowClass?.(row)}
                phoneRow={phoneRow}
                latest={latest}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** The focus goes where keys lead it; a list that never had it is not given it. */
function useFocusFollows(
  scroller: RefObject<HTMLDivElement | null>,
  id: string | undefined,
  index: number,
  rowPx: number,
): void {
  const shown = useRef(id);
  useEffect(() => {
    if (id === shown.current) return;
    shown.current = id;
    // As long as nobody has gone to a row, new ones on top move nothing.
    if (id === undefined) return;
    if (scroller.current !== null) keepInSight(scroller.current, index, rowPx, scroller.current.clientHeight);
    if (!isFocusIn(scroller.current)) return;
    requestAnimationFrame(() => {
      // A menu that a key has opened since has it now.
      if (!isFocusIn(scroller.current)) return;
      scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
    });
  }, [id, index, rowPx, scroller]);
}

/** Is the focus in the list, or nowhere? */
function isFocusIn(list: HTMLElement | null): boolean {
  return document.activeElement === document.body || (list?.contains(document.activeElement) ?? false);
}

function Head<Row>({
  columns,
  rows,
  idOf,
  grid,
  sorting,
  onSort,
  template,
}: VirtualGridProps<Row> & { template: string }) {
  const selectedCount = rows.filter((row) => grid.selected.has(idOf(row))).length;
  const isAll = rows.length > 0 && selectedCount === rows.length;
  return (
    <div role="row" aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: template }}>
      <span role="columnheader" className={classes.check}>
        <CheckBox
          label="Select all that are loaded"
          isChecked={isAll || (selectedCount > 0 && 'mixed')}
          onToggle={() => (isAll ? grid.clear() : grid.selectAll())}
        />
      </span>
      {columns.map((column) => (
        <HeadCell key={column.id} column={column} sorting={sorting} onSort={onSort} />
      ))}
    </div>
  );
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: GridSorting;
  readonly onSort: (field: string) => void;
}

function HeadCell<Row>({ column, sorting, onSort }: HeadCellProps<Row>): ReactElement {
  const { head, title, sortField, isNumber } = column;
  const isSorted = sortField !== undefined && sortField === sorting.field;
  const words = `${classes.headCell} ${isNumber === true ? classes.number : ''} ${isSorted ? classes.sorted : ''}`;
  return (
    <span
      role="columnheader"
      title={title}
      aria-sort={isSorted ? (sorting.direction === 'asc' ? 'ascending' : 'descending') : undefined}
      className={words}
    >
      {sortField === undefined ? (
        head
      ) : (
        <button type="button" onClick={() => onSort(sortField)}>
          {head}
          {isSorted && <Icon name={sorting.direction === 'asc' ? 'arrow-up' : 'arrow-down'} size={12} />}
        </button>
      )}
    </span>
  );
}
