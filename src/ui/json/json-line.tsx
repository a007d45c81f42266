import { type CSSProperties, memo, type ReactNode } from 'react';
import { IconButton } from '../controls/button.tsx';
import { useCopy } from '../controls/use-copy.ts';
import { JsonValueText } from './json-value-text.tsx';
import { pathText } from './json-path.ts';
import { isFoldable, type JsonRow, type JsonRows, standsForMore } from './json-rows.ts';
import classes from './json.module.css';
import { showControls } from './show-controls.ts';

export interface JsonLineProps {
  readonly row: JsonRow;
  readonly tree: JsonRows;
  readonly label: string;
  readonly isTabStop: boolean;
  readonly isActive: boolean;
  readonly onToggle: (row: JsonRow) => void;
  readonly onActive: (id: string) => void;
}

/** Deeper levels are not moved further to the right: a number tells them. */
const MAX_INDENT = 16;

/** One line of a tree: a name, and the value or what it opens. */
export const JsonLine = memo(function JsonLine(props: JsonLineProps): ReactNode {
  const { row, tree, label, isTabStop, isActive, onToggle, onActive } = props;
  const copy = useCopy();
  const style = { '--depth': Math.min(row.depth, MAX_INDENT) } as CSSProperties;
  if (row.isEnd) {
    return (
      <div className={classes.line} style={style} role="presentation">
        <span className={classes.sign}>{closing(row)}</span>
      </div>
    );
  }
  const canFold = isFoldable(row, tree);
  // Such as a file: one beside it that is kept as a text has no sign either, though it is shown alike.
  const isShownAsOther = !row.isOpen && row.group === undefined && standsForMore(tree.text, row.node);
  const click = () => {
    onActive(row.id);
    if (canFold) onToggle(row);
  };
  return (
    <div
      className={`${classes.line} ${isActive ? classes.isActive : ''}`}
      style={style}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={canFold ? row.isOpen : undefined}
      aria-selected={isActive}
      tabIndex={isTabStop ? 0 : -1}
      data-row={row.id}
    >
      {canFold && !isShownAsOther && (
        <button
          type="button"
          className={classes.twisty}
          tabIndex={-1}
          aria-label={row.isOpen ? 'Fold' : 'Unfold'}
          data-open={row.isOpen}
          onClick={click}
        />
      )}
      {row.depth > MAX_INDENT && <span className={classes.level}>{row.depth}</span>}
      <LineName row={row} onClick={canFold ? click : undefined} />
      <JsonValueText row={row} tree={tree} isFolded={canFold && !row.isOpen} onOpen={click} label={label} />
      <IconButton
        icon="copy"
        isSmall
        className={classes.copyPath}
        label={`Copy path ${pathText(label, row.path)}`}
        tabIndex={-1}
        onClick={() => copy(pathText(label, row.path))}
      />
    </div>
  );
});

function LineName({ row, onClick }: { readonly row: JsonRow; readonly onClick: (() => void) | undefined }): ReactNode {
  if (row.group !== undefined) return <span className={classes.sign}>{`[${row.group[0]} … ${row.group[1]}]`}</span>;
  if (row.key === undefined) return null;
  return (
    <>
      <span className={classes.key} onClick={onClick}>
        <bdi>{showControls(shortName(row.key))}</bdi>
      </span>
      <span className={classes.sign}>: </span>
    </>
  );
}

const LONGEST_NAME = 200;

function shortName(key: string): string {
  const text = JSON.stringify(key.slice(0, LONGEST_NAME));
  return key.length > LONGEST_NAME ? `${text}…` : text;
}

function closing({ node, position, siblings, depth }: JsonRow): string {
  return `${node.kind === 'array' ? ']' : '}'}${depth > 0 && position < siblings ? ',' : ''}`;
}
