import type { ReactNode } from 'react';
import styles from './parts.module.css';

const LETTERS: Readonly<Record<string, string>> = {
  llm: 'L',
  tool: 'T',
  agent: 'A',
  retriever: 'R',
  embedding: 'E',
  chain: 'C',
  scorer: 'S',
  other: 'ƒ',
};

/** The kind of a call as a letter in a box of its colour. */
export function KindBox({ kind }: { readonly kind: string }): ReactNode {
  const known = kind in LETTERS ? kind : 'other';
  return (
    <span className={`${styles['kind']} ${styles[known]}`} title={known === 'other' ? 'function' : known}>
      {LETTERS[known]}
    </span>
  );
}
