import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatInstant, formatTime } from '../../format/time.ts';
import { keepInSight, rowsInSight } from '../../grid/rows-in-sight.ts';
import { useRowHeight } from '../../shell/row-height.ts';
import { PHONE, RAIL, useMedia } from '../../shell/use-media.ts';
import { useSize } from '../../shell/use-size.ts';
import { at } from '../../trace/layout/numbers.ts';
import type { VisibleRows } from '../../trace/layout/visible-rows.ts';
import type { PairTable, ShownSide, Sides } from '../answer/answer.ts';
import type { VersionNumbers } from '../cause-words.ts';
import { SideMark } from '../head/side-mark.tsx';
import classes from './compared-tree.module.css';
import { PairRow, rowId } from './pair-row.tsx';
import { pairOfCode, type PairTree } from './pair-tree.ts';
import { openStateOf, type PairView } from './visible-pairs.ts';

export interface ComparedTreeProps {
  readonly sides: Sides<ShownSide>;
  readonly pairs: PairTable;
  readonly tree: PairTree;
  readonly numbers: VersionNumbers;
  readonly rows: VisibleRows;
  readonly view: PairView;
  /** The code of the selected line. */
  readonly cursor: number;
  readonly found: ReadonlySet<number>;
  /** The words that the pairs which were found hold. */
  readonly wanted: string;
  readonly onSelect: (code: number) => void;
  readonly onToggle: (code: number, isDeep: boolean) => void;
  /** True when the key did something. */
  readonly onKey: (key: string) => boolean;
}

const PHONE_ROW_PX = 52;
/** Beside both names: why they differ, and the changes of numbers. */
const BESIDE_PX = 176 + 80 + 96 + 16;
const BESIDE_RAIL_PX = 152 + 72 + 16;
const INDENT_PX = 14;
const PHONE_INDENT_PX = 10;
/** The width that a name keeps with its time, however deep it is. */
const LEAST_NAME_PX = 200;

/** Both sides as one tree: each call of A beside the one of B that belongs to it. */
export function ComparedTree(props: ComparedTreeProps): ReactNode {
  const { sides, pairs, tree, rows, view, cursor, found } = props;
  const isPhone = useMedia(PHONE);
  const isRail = useMedia(RAIL);
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const { width, height } = useSize(scroller);
  const { px: usualPx } = useRowHeight();
  const rowPx = isPhone ? PHONE_ROW_PX : usualPx;
  const [first, setFirst] = useState(0);
  const deepest = isPhone
    ? Math.floor(Math.max(0, width - LEAST_NAME_PX) / PHONE_INDENT_PX)
    : Math.floor(Math.max(0, (width - (isRail ? BESIDE_RAIL_PX : BESIDE_PX)) / 2 - LEAST_NAME_PX) / INDENT_PX);
  const cursorRow = useMemo(() => rows.code.indexOf(cursor), [rows, cursor]);
  const shown = rowsInSight({ first, room: Math.ceil(height / rowPx), count: rows.count, kept: cursorRow });
  useLayoutEffect(() => {
    if (scroller !== null && height > 0) keepInSight(scroller, cursorRow, rowPx, height);
    // Only another selection moves the list: what folds elsewhere leaves it where it is.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [cursor, height > 0]);
  // A row that is gone before the next one is here takes the focus with it, and says nothing of it.
  const hasFocus = useRef(false);
  useEffect(() => {
    const isLost = hasFocus.current && document.activeElement === document.body;
    if (isLost || scroller?.contains(document.activeElement))
      document.getElementById(rowId(cursor))?.focus({ preventScroll: true });
  }, [cursor, scroller]);
  return (
    <div className={classes.pane}>
      <div className={classes.heads}>
        <SideHead side="a" shown={sides.a} />
        <span className={classes.middle}>Why different</span>
        <SideHead side="b" shown={sides.b} />
        <span className={classes.right}>Δ latency</span>
        <span className={`${classes.right} ${classes.money}`}>Δ cost</span>
      </div>
      <div
        ref={setScroller}
        className={classes.scroller}
        onFocus={() => (hasFocus.current = true)}
        onBlur={() => (hasFocus.current = false)}
        onScroll={({ currentTarget }) => setFirst(Math.floor(currentTarget.scrollTop / rowPx))}
      >
        {rows.count === 0 && <p className={classes.nothing}>Nothing differs but numbers: all calls are alike.</p>}
        <div
          role="treegrid"
          aria-label="Calls of both sides"
          aria-rowcount={rows.count}
          aria-colcount={5}
          className={classes.grid}
          onKeyDown={(event) => isPlain(event) && props.onKey(event.key) && event.preventDefault()}
          style={{ height: rows.count * rowPx }}
        >
          {shown.map((row) => {
            const code = at(rows.code, row);
            return (
              <PairRow
                key={code}
                pairs={pairs}
                tree={tree}
                numbers={props.numbers}
                rows={rows}
                row={row}
                top={row * rowPx}
                deepest={deepest}
                isOpen={openStateOf(pairs, tree, view, code)}
                isSelected={code === cursor}
                isTabStop={code === cursor || (cursorRow === -1 && row === 0)}
                wanted={found.has(pairOfCode(tree, code)) ? props.wanted : ''}
                onSelect={props.onSelect}
                onToggle={props.onToggle}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function SideHead({ side, shown: { startedAt } }: { readonly side: 'a' | 'b'; readonly shown: ShownSide }): ReactNode {
  return (
    <span className={side === 'a' ? classes.headA : classes.headB} title={formatInstant(startedAt)}>
      <SideMark side={side} />
      <span className="cut">{formatTime(startedAt, Date.now())}</span>
    </span>
  );
}

function isPlain({ shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return !(shiftKey || ctrlKey || metaKey || altKey);
}
