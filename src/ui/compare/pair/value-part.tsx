import { type ReactElement, useState } from 'react';
import { Button } from '../../controls/button.tsx';
import { countOf, formatCount } from '../../format/count.ts';
import { showControls } from '../../json/show-controls.ts';
import type { ComparedAnswer } from '../answer/answer.ts';
import type { ChangeDiff, PartDiff } from '../answer/pair-detail.ts';
import type { DiffRow } from '../text/diff-rows.ts';
import { DiffView } from '../text/diff-view.tsx';
import { isOneSided, kindAt } from '../tree/pair-tree.ts';
import classes from './pair-pane.module.css';

export interface ValuePartProps {
  readonly answer: ComparedAnswer;
  readonly pair: number;
  readonly name: 'Input' | 'Output';
  readonly part: PartDiff;
  /** The errors that the calls ended with. */
  readonly error?: readonly DiffRow[];
}

/** The inputs, or the outputs, of both calls: the places that differ, or the value where it is one. */
export function ValuePart({ answer, pair, name, part, error = [] }: ValuePartProps): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const isOfOne = isOneSided(kindAt(answer.pairs, pair));
  const isNone = part.whole.length === 0;
  return (
    <section role="group" className={classes.part} aria-label={name}>
      <header>
        <h3>{name}</h3>
        <span className="muted">{isNone ? 'none' : wordsOf(part, isOfOne)}</span>
        <span className="grow" />
        {part.changes.length > 0 && (
          <Button isSmall aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
            Whole {name.toLowerCase()}
          </Button>
        )}
      </header>
      {error.length > 0 && (
        <>
          <h4 className={classes.path}>{errorWords(error)}</h4>
          <DiffView label="Errors" rows={error} isPlain={isOfOne} />
        </>
      )}
      {part.changes.length === 0 || isWhole ? (
        <>
          {!isNone && error.length > 0 && <h4 className={classes.path}>Output</h4>}
          {!isNone && <DiffView label={`${name} of both calls`} rows={part.whole} isPlain={part.isSame || isOfOne} />}
          <CutWords cutFrom={part.cutFrom} />
        </>
      ) : (
        part.changes.map((change) => <Change key={change.path} change={change} name={name} />)
      )}
      {part.hasMore && !isWhole && (
        <p className={classes.words}>These are the first {formatCount(part.changes.length)} places that differ.</p>
      )}
    </section>
  );
}

function errorWords(rows: readonly DiffRow[]): string {
  if (rows.every(({ a }) => a === null)) return 'Error in B';
  return rows.every(({ b }) => b === null) ? 'Error in A' : 'Errors';
}

function wordsOf({ isSame, isCut, changes, whole }: PartDiff, isOfOne: boolean): string {
  if (isOfOne) return '';
  if (!isSame && changes.length === 0) return whole.every(({ a }) => a === null) ? 'only in B' : 'only in A';
  if (isSame && isCut) return 'the same in both as far as recorded: a part was cut';
  return isSame ? 'the same in both' : countOf(changes.length, 'place differs', 'places differ');
}

function Change({ change, name }: { readonly change: ChangeDiff; readonly name: string }): ReactElement {
  const path = showControls(change.path);
  return (
    <>
      {path !== '' && (
        <h4 className={classes.path} title={path}>
          <bdi>{path}</bdi>
        </h4>
      )}
      <DiffView label={path === '' ? name : `${name}, ${path}`} rows={change.rows} />
      <CutWords cutFrom={change.cutFrom} />
    </>
  );
}

function CutWords({ cutFrom }: { readonly cutFrom: number | undefined }): ReactElement | null {
  if (cutFrom === undefined) return null;
  return (
    <p className={classes.words}>
      Compared by its beginning; it has {countOf(cutFrom, 'character')}, which the trace shows.
    </p>
  );
}
