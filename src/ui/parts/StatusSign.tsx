import type { ReactNode } from 'react';
import styles from './parts.module.css';

export type ShownState = 'success' | 'error' | 'descendant_error' | 'running' | 'never_ended';

/** Drawn, not typed, so that it stands where text stands. */
export function StatusSign({ state }: { readonly state: ShownState }): ReactNode {
  return (
    <svg className={`${styles['sign']} ${styles[state]}`} width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      {shapeOf(state)}
    </svg>
  );
}

function shapeOf(state: ShownState): ReactNode {
  if (state === 'error' || state === 'descendant_error') {
    return (
      <path
        d="M5 1 9.500 9H.5L5 1Z"
        fill={state === 'error' ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="1"
        strokeLinejoin="round"
      />
    );
  }
  const ring = <circle cx="5" cy="5" r="3.700" fill="none" stroke="currentColor" strokeWidth="1.600" />;
  if (state === 'never_ended') {
    return (
      <>
        {ring}
        <path d="M5 1.300a3.700 3.700 0 0 1 0 7.400Z" fill="currentColor" />
      </>
    );
  }
  if (state === 'running') {
    return (
      <circle
        cx="5"
        cy="5"
        r="3.700"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.600"
        strokeDasharray="2.320 1.550"
      />
    );
  }
  return <circle cx="5" cy="5" r="3" fill="currentColor" />;
}
