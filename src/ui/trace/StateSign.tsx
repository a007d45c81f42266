import type { ReactNode } from 'react';
import { StatusSign } from '../parts/StatusSign.tsx';
import { CallState } from './layout/skeleton.ts';
import styles from './tree.module.css';

/** The sign of a state that needs one: what ended well, itself, has none in a tree. */
export function StateSign({ state }: { readonly state: number }): ReactNode {
  if (state === CallState.error) return <Sign state="error" words="error" />;
  if (state === CallState.running) return <Sign state="running" words="running" />;
  return state === CallState.neverEnded ? <Sign state="never_ended" words="never ended" /> : undefined;
}

interface SignProps {
  readonly state: 'error' | 'running' | 'never_ended';
  readonly words: string;
}

function Sign({ state, words }: SignProps): ReactNode {
  return (
    <span className={styles['sign']} role="img" aria-label={words} title={words}>
      <StatusSign state={state} />
    </span>
  );
}
