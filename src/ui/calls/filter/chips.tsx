import type { ReactElement } from 'react';
import classes from './filter-bar.module.css';
import { faultsOf, isTerm } from './filter-faults.ts';
import { piecesOf } from './filter-pieces.ts';

/** A filter, term by term; what makes no sense looks like that. */
export function Chips({ text }: { readonly text: string }): ReactElement {
  const faults = faultsOf(text);
  return (
    <>
      {piecesOf(text).map((each) => {
        const { text: piece, fieldEnd = 0, isNot, offset } = each;
        const end = offset + piece.length;
        const fault = faults.find((other) => other.piece.offset >= offset && other.piece.offset < end);
        const wrong = fault === undefined ? '' : classes.wrong;
        if (!isTerm(each))
          return piece.trim() === '' ? null : (
            <span key={offset} className={fault && `${classes.chip} ${wrong}`} title={fault?.message}>
              {piece.trim()}
            </span>
          );
        return (
          <span
            key={offset}
            className={`${isNot === true ? classes.not : classes.chip} ${wrong}`}
            title={fault?.message}
          >
            <i>{piece.slice(0, fieldEnd)}</i>
            {piece.slice(fieldEnd)}
          </span>
        );
      })}
    </>
  );
}
