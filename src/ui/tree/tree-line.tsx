import type { CSSProperties, MouseEvent, ReactElement, ReactNode } from 'react';
import { Icon } from '../controls/signs/icon.tsx';
import { at } from './numbers.ts';
import classes from './virtual-tree.module.css';
import type { VisibleRows } from './visible-rows.ts';

/** Where a line stands. */
export interface LinePlace {
  readonly rows: VisibleRows;
  readonly row: number;
  readonly top: number;
  readonly isSelected: boolean;
  /** The one line that the Tab key leads to. */
  readonly isTabStop: boolean;
}

export interface TreeLineProps extends LinePlace {
  /** `undefined`: there is nothing to unfold. */
  readonly isOpen: boolean | undefined;
  readonly className: string | undefined;
  readonly style?: CSSProperties;
  readonly onSelect: (code: number) => void;
  /** Its cells. */
  readonly children: ReactNode;
}

/** A line of a tree. */
export function TreeLine(props: TreeLineProps): ReactElement {
  const { rows, row, top, isSelected } = props;
  const code = at(rows.code, row);
  return (
    <div
      role="row"
      id={rowId(code)}
      aria-level={at(rows.depth, row) + 1}
      aria-posinset={at(rows.position, row)}
      aria-setsize={at(rows.siblings, row)}
      aria-rowindex={row + 1}
      aria-expanded={props.isOpen}
      aria-selected={isSelected}
      tabIndex={props.isTabStop ? 0 : -1}
      className={`${classes.line} ${props.className}`}
      style={{ transform: `translateY(${top}px)`, ...props.style }}
      onClick={() => props.onSelect(code)}
    >
      {props.children}
    </div>
  );
}

/** A page shows one tree. */
export function rowId(code: number): string {
  return `tree-row-${code}`;
}

export interface TwistyProps {
  readonly isOpen: boolean | undefined;
  readonly className: string | undefined;
  /** `isDeep`: with all below it. */
  readonly onToggle: (isDeep: boolean) => void;
}

/** The sign that opens a line, and folds it. */
export function Twisty({ isOpen, className, onToggle }: TwistyProps): ReactElement {
  const toggle = (event: MouseEvent): void => {
    event.stopPropagation();
    onToggle(event.shiftKey || event.altKey);
  };
  return (
    <span className={`${classes.twisty} ${className}`} onClick={isOpen === undefined ? undefined : toggle}>
      {isOpen !== undefined && <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />}
    </span>
  );
}

export interface DepthSignProps {
  readonly depth: number;
  /** Deeper lines are not moved further to the right. */
  readonly deepest: number;
}

/** The depth of a line that does not show it by its place. */
export function DepthSign({ depth, deepest }: DepthSignProps): ReactNode {
  return depth > deepest && <span className={classes.depth}>{depth + 1}</span>;
}
