import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { BrokenText } from './broken-text.tsx';
import { findInJson } from './find-in-json.ts';
import { JsonFind } from './json-find.tsx';
import { JsonLine } from './json-line.tsx';
import type { JsonNode } from './json-node.ts';
import { isFoldable, type JsonRow } from './json-rows.ts';
import classes from './json.module.css';
import { type OpenRows, useJsonRows } from './use-json-rows.ts';

/** Fewer rows are simply there: the browser's own search finds them, and they can be selected and copied. */
const VIRTUAL_FROM = 300;

export interface JsonViewProps {
  /** The text in which the value stands, and where. */
  readonly text: string;
  readonly node: JsonNode;
  /** The name of the value: labels the tree, and begins the paths that are copied. */
  readonly label: string;
  /** Is the search open? */
  readonly isFinding?: boolean;
  readonly onFindEnd?: () => void;
  /** Opens everything, up to a bound, or folds everything, when it changes; `undefined`: what fits is open. */
  readonly isExpanded?: boolean | undefined;
}

/** A value as a tree that is opened where one looks. Nothing of it is ever taken for HTML. */
export function JsonView(props: JsonViewProps): ReactNode {
  const { text, node, label, isFinding = false, onFindEnd, isExpanded } = props;
  const open = useJsonRows(text, node);
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    if (isExpanded === true) latest.current.openAll();
    else if (isExpanded === false) latest.current.closeAll();
  }, [isExpanded]);
  const [active, setActive] = useState<string | undefined>(undefined);
  if (open.broken !== undefined) return <BrokenText text={text.slice(node.start, node.end)} broken={open.broken} />;
  return (
    <div className={classes.view}>
      {isFinding && <Finder open={open} onFound={setActive} onEnd={onFindEnd} />}
      {open.isBounded && (
        <p className={classes.note} role="status">
          The first {open.rows.length.toLocaleString('en')} rows are open; what is below is still folded.
        </p>
      )}
      <Rows open={open} label={label} active={active} onActive={setActive} />
    </div>
  );
}

interface FinderProps {
  readonly open: OpenRows;
  readonly onFound: (id: string) => void;
  readonly onEnd: (() => void) | undefined;
}

function Finder({ open, onFound, onEnd }: FinderProps): ReactNode {
  const [wanted, setWanted] = useState('');
  const found = useMemo(() => findInJson(open.tree.text, open.tree.root, wanted), [open.tree, wanted]);
  const goTo = (index: number) => {
    const offset = found.offsets[index];
    if (offset !== undefined) onFound(open.reveal(offset));
  };
  return <JsonFind wanted={wanted} onWanted={setWanted} found={found} onGo={goTo} onEnd={onEnd} />;
}

interface RowsProps {
  readonly open: OpenRows;
  readonly label: string;
  readonly active: string | undefined;
  readonly onActive: (id: string) => void;
}

function Rows(props: RowsProps): ReactNode {
  const { rows } = props.open;
  return rows.length > VIRTUAL_FROM ? <VirtualRows {...props} /> : <PlainRows {...props} />;
}

function PlainRows({ open, label, active, onActive }: RowsProps): ReactNode {
  const keys = useTreeKeys(open, active, onActive);
  return (
    <div className={classes.tree} role="tree" aria-label={label} onKeyDown={keys.onKeyDown} ref={keys.ref}>
      {open.rows.map((row) => (
        <JsonLine
          key={rowKey(row)}
          row={row}
          tree={open.tree}
          label={label}
          isTabStop={row.id === keys.tabStop && !row.isEnd}
          isActive={row.id === active && !row.isEnd}
          onToggle={open.toggle}
          onActive={onActive}
        />
      ))}
    </div>
  );
}

const ROW_HEIGHT = 18;

function VirtualRows({ open, label, active, onActive }: RowsProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: open.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rowKey(open.rows[index]),
    overscan: 20,
  });
  const keys = useTreeKeys(open, active, onActive, (index) => virtual.scrollToIndex(index, { align: 'auto' }));
  return (
    <div className={classes.scroller} ref={scroller} data-testid="json-scroller">
      <div
        className={classes.tree}
        role="tree"
        aria-label={label}
        style={{ height: virtual.getTotalSize(), position: 'relative' }}
        onKeyDown={keys.onKeyDown}
        ref={keys.ref}
      >
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = open.rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={classes.placed}
              style={{ transform: `translateY(${start}px)` }}
              role="presentation"
            >
              <JsonLine
                row={row}
                tree={open.tree}
                label={label}
                isTabStop={row.id === keys.tabStop && !row.isEnd}
                isActive={row.id === active && !row.isEnd}
                onToggle={open.toggle}
                onActive={onActive}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function rowKey(row: JsonRow | undefined): string {
  return `${row?.id}${row?.isEnd === true ? '}' : ''}`;
}

interface TreeKeys {
  readonly ref: React.RefObject<HTMLDivElement | null>;
  readonly tabStop: string | undefined;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Arrows walk and fold, as in any tree; the row that was walked to takes the focus and is scrolled to. */
function useTreeKeys(
  open: OpenRows,
  active: string | undefined,
  onActive: (id: string) => void,
  scrollTo?: (index: number) => void,
): TreeKeys {
  const ref = useRef<HTMLDivElement>(null);
  const rows = open.rows;
  const index = rows.findIndex((row) => row.id === active && !row.isEnd);
  const isMoving = useRef(false);
  useEffect(() => {
    if (active === undefined || index === -1) return;
    scrollTo?.(index);
    const row = ref.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(active)}"]`);
    if (scrollTo === undefined) row?.scrollIntoView({ block: 'nearest' });
    if (isMoving.current) row?.focus();
    isMoving.current = false;
  });
  const move = (to: number, step: 1 | -1) => {
    let at = to;
    while (rows[at]?.isEnd === true) at += step;
    const row = rows[at];
    if (row === undefined) return;
    isMoving.current = true;
    onActive(row.id);
  };
  return {
    ref,
    tabStop: index === -1 ? rows[0]?.id : active,
    onKeyDown: (event) => onTreeKey({ event, open, index: Math.max(0, index), move }),
  };
}

interface TreeKey {
  readonly event: KeyboardEvent;
  readonly open: OpenRows;
  readonly index: number;
  readonly move: (to: number, step: 1 | -1) => void;
}

function onTreeKey({ event, open, index, move }: TreeKey): void {
  if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = open.rows[index];
  if (row === undefined) return;
  const canFold = isFoldable(row, open.tree);
  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(index + 1, 1),
    ArrowUp: () => move(index - 1, -1),
    Home: () => move(0, 1),
    End: () => move(open.rows.length - 1, -1),
    ArrowRight: () => (canFold && !row.isOpen ? open.toggle(row) : move(index + 1, 1)),
    ArrowLeft: () => (canFold && row.isOpen ? open.toggle(row) : move(parentOf(open.rows, index), -1)),
    Enter: () => canFold && open.toggle(row),
  };
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

function parentOf(rows: readonly JsonRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  return rows.slice(0, index).findLastIndex((row) => row.depth < depth && !row.isEnd);
}
