import type { ReactNode } from 'react';
import { StatusSign } from '../../controls/signs/status-sign.tsx';
import { CallState } from '../layout/skeleton.ts';
import classes from './state-sign.module.css';

const SIGNS: Readonly<Record<number, 'error' | 'running' | 'never_ended'>> = {
  [CallState.error]: 'error',
  [CallState.running]: 'running',
  [CallState.neverEnded]: 'never_ended',
};

/** The sign of a state that needs one: what ended well, itself, has none in a tree. */
export function StateSign({ state }: { readonly state: number }): ReactNode {
  const sign = SIGNS[state];
  return (
    sign && (
      <span className={classes.sign}>
        <StatusSign state={sign} isSignOnly />
      </span>
    )
  );
}
