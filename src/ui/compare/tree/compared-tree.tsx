import type { ReactNode } from 'react';
import { formatInstant, formatTime } from '../../format/time.ts';
import { RAIL, useMedia } from '../../shell/use-media.ts';
import type { TreeActions } from '../../tree/tree-keys.ts';
import { useTreeWindow } from '../../tree/use-tree-window.ts';
import { VirtualTree } from '../../tree/virtual-tree.tsx';
import type { VisibleRows } from '../../tree/visible-rows.ts';
import type { PairTable, ShownSide, Sides } from '../answer/answer.ts';
import type { VersionNumbers } from '../cause-words.ts';
import { SideMark } from '../head/side-mark.tsx';
import classes from './compared-tree.module.css';
import { PairRow } from './pair-row.tsx';
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
  readonly actions: TreeActions;
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
  const isRail = useMedia(RAIL);
  const window = useTreeWindow({ rows, cursor, phoneRowPx: PHONE_ROW_PX });
  const { isPhone, width } = window;
  const deepest = isPhone
    ? Math.floor(Math.max(0, width - LEAST_NAME_PX) / PHONE_INDENT_PX)
    : Math.floor(Math.max(0, (width - (isRail ? BESIDE_RAIL_PX : BESIDE_PX)) / 2 - LEAST_NAME_PX) / INDENT_PX);
  return (
    <div className={classes.pane}>
      <div className={classes.heads}>
        <SideHead side="a" shown={sides.a} />
        <span className={classes.middle}>Why different</span>
        <SideHead side="b" shown={sides.b} />
        <span className={classes.right}>Δ latency</span>
        <span className={`${classes.right} ${classes.money}`}>Δ cost</span>
      </div>
      <VirtualTree
        label="Calls of both sides"
        columnCount={5}
        rows={rows}
        cursor={cursor}
        window={window}
        actions={props.actions}
        above={rows.count === 0 && <p className={classes.nothing}>Nothing differs but numbers: all calls are alike.</p>}
      >
        {(code, place) => (
          <PairRow
            {...place}
            pairs={pairs}
            tree={tree}
            numbers={props.numbers}
            deepest={deepest}
            isOpen={openStateOf(pairs, tree, view, code)}
            wanted={found.has(pairOfCode(tree, code)) ? props.wanted : ''}
            onSelect={props.onSelect}
            onToggle={props.onToggle}
          />
        )}
      </VirtualTree>
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
