import { type CSSProperties, type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import { countOf } from '../../format/count.ts';
import { showControls } from '../../json/show-controls.ts';
import { useSize } from '../../shell/use-size.ts';
import classes from './diff-view.module.css';
import type { DiffLine, DiffRow } from './diff-rows.ts';
import { foldedRows } from './folded-rows.ts';

export interface DiffViewProps {
  readonly label: string;
  readonly rows: readonly DiffRow[];
  /** A text of one side is not marked as such: both have it, or that is said elsewhere. @default false */
  readonly isPlain?: boolean;
}

/** Narrower, both texts stand in one column. */
const LEAST_BESIDE_PX = 600;
/** So many lines are drawn at first. */
const MOST_ROWS = 600;

/** Two texts: the lines of each beside the other, with the words marked that the other one does not have. */
export function DiffView({ label, rows, isPlain = false }: DiffViewProps): ReactElement {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const { width } = useSize(place);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [most, setMost] = useState(MOST_ROWS);
  // The first of the lines that were asked for: what was pressed goes, and has nothing else to leave the focus to.
  const [asked, setAsked] = useState<number>();
  const folded = useMemo(() => foldedRows(rows, opened), [rows, opened]);
  const isOfOne = useMemo(() => rows.every(({ a }) => a === null) || rows.every(({ b }) => b === null), [rows]);
  const isBeside = width >= LEAST_BESIDE_PX && !isOfOne;
  return (
    <div ref={setPlace} role="group" aria-label={label} className={isBeside ? classes.beside : classes.below}>
      {folded.slice(0, most).map((line) =>
        line.kind === 'gap' ? (
          <button
            key={`gap ${line.from}`}
            type="button"
            className={classes.gap}
            onClick={() => {
              setOpened(new Set(opened).add(line.from));
              setAsked(line.from);
            }}
          >
            ⋯ {countOf(line.count, 'equal line')}
          </button>
        ) : (
          <Asked key={line.index} isAsked={line.index === asked}>
            <Row row={line.row} isBeside={isBeside} isPlain={isOfOne && isPlain} />
          </Asked>
        ),
      )}
      {folded.length > most && (
        <button
          type="button"
          className={classes.gap}
          onClick={() => {
            setMost(most + MOST_ROWS);
            const next = folded.slice(most).find((line) => line.kind === 'row');
            if (next !== undefined) setAsked(next.index);
          }}
        >
          ⋯ {countOf(folded.length - most, 'more line')}
        </button>
      )}
    </div>
  );
}

interface AskedProps {
  readonly isAsked: boolean;
  readonly children: ReactElement;
}

/** A line that takes the focus as it comes, so that Tab leads on from there. */
function Asked({ isAsked, children }: AskedProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAsked) place.current?.focus({ preventScroll: true });
  }, [isAsked]);
  if (!isAsked) return children;
  return (
    <div ref={place} tabIndex={-1}>
      {children}
    </div>
  );
}

interface RowProps {
  readonly row: DiffRow;
  readonly isBeside: boolean;
  readonly isPlain: boolean;
}

function Row({ row: { a, b, isSame }, isBeside, isPlain }: RowProps): ReactElement {
  if (isPlain) return <Line line={a ?? b} side={a === null ? 'b' : 'a'} isSame />;
  if (isSame && !isBeside) return <Line line={b} side="b" isSame />;
  return (
    <div className={classes.row}>
      {(isBeside || a !== null) && <Line line={a} side="a" isSame={isSame} />}
      {(isBeside || b !== null) && <Line line={b} side="b" isSame={isSame} />}
    </div>
  );
}

interface LineProps {
  readonly line: DiffLine | null;
  readonly side: 'a' | 'b';
  readonly isSame: boolean;
}

function Line({ line, side, isSame }: LineProps): ReactElement {
  if (line === null) return <div className={`${classes.line} ${classes.pad}`} />;
  const Word = side === 'a' ? 'del' : 'ins';
  const tint = isSame ? undefined : side === 'a' ? classes.a : classes.b;
  return (
    <div className={[classes.line, tint].filter(Boolean).join(' ')}>
      <span className={classes.number} aria-hidden="true">
        {line.number}
      </span>
      <span className={classes.sign}>
        {!isSame && (side === 'a' ? '−' : '+')}
        {!isSame && <span className="vh"> {side === 'a' ? 'in A: ' : 'in B: '}</span>}
      </span>
      <span className={classes.text} style={hangingOf(line)} dir="auto">
        {line.pieces.map(({ text, isChanged }, index) =>
          isChanged && !isSame ? (
            // oxlint-disable-next-line react/no-array-index-key
            <Word key={index}>{showControls(text)}</Word>
          ) : (
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index}>{showControls(text)}</span>
          ),
        )}
      </span>
    </div>
  );
}

/** A longer line goes on below, farther in than the line begins, as in the source of a call. */
function hangingOf({ pieces }: DiffLine): CSSProperties {
  const indent = /^ */.exec(pieces.map(({ text }) => text).join(''))?.[0].length ?? 0;
  return { '--hanging': `${Math.min(indent, MOST_INDENT) + HANGING}ch` } as CSSProperties;
}

const HANGING = 4;
/** In columns of few characters nothing would be left of a line. */
const MOST_INDENT = 16;
