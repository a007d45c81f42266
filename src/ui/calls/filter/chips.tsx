import type { ReactElement } from 'react';
import classes from './filter-bar.module.css';
import { piecesOf } from './filter-pieces.ts';

/** A filter, term by term. */
export function Chips({ text }: { readonly text: string }): ReactElement {
  return (
    <>
      {piecesOf(text).map(({ text: piece, fieldEnd, isNot, offset }) => {
        if (fieldEnd === undefined) return piece.trim() === '' ? null : <span key={offset}>{piece.trim()}</span>;
        return (
          <span key={offset} className={isNot === true ? classes.not : classes.chip}>
            <i>{piece.slice(0, fieldEnd)}</i>
            {piece.slice(fieldEnd)}
          </span>
        );
      })}
    </>
  );
}
