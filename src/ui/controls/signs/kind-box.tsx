import type { ReactElement } from 'react';
import classes from './kind-box.module.css';
import { kindClass } from './kind-colour.ts';

const LETTERS: Readonly<Record<string, string>> = {
  agent: 'A',
  llm: 'L',
  tool: 'T',
  retriever: 'R',
  embedding: 'E',
  chain: 'C',
  scorer: 'S',
};

/** The kind of a call as a letter in its colour; what has none of the known kinds is a function. */
export function KindBox({ kind }: { readonly kind: string }): ReactElement {
  const letter = LETTERS[kind];
  const isKnown = letter !== undefined;
  return (
    <span className={`${classes.box} ${kindClass(kind)}`} title={isKnown ? kind : 'function'}>
      <span aria-hidden="true">{letter ?? 'ƒ'}</span>
    </span>
  );
}
