import type { ReactElement, ReactNode } from 'react';
import classes from './status-sign.module.css';

/** How a call is, as rows of lists and skeletons say it. */
export type CallState = 'running' | 'success' | 'descendant_error' | 'error' | 'never_ended';

interface Look {
  readonly word: string;
  readonly tone: 'ok' | 'err' | 'run' | 'warn';
  readonly shape: ReactNode;
}

const RING = { cx: 5, cy: 5, r: 3.7, fill: 'none', stroke: 'currentColor' };
const TRIANGLE = 'M5 .8 9.7 9.2H.3L5 .8Z';

const LOOKS: Readonly<Record<CallState, Look>> = {
  success: { word: 'ok', tone: 'ok', shape: <circle cx="5" cy="5" r="3" fill="currentColor" /> },
  error: { word: 'error', tone: 'err', shape: <path d={TRIANGLE} fill="currentColor" /> },
  // It went on: the dot of what is well, in the colour of what is below it.
  descendant_error: {
    word: 'error inside',
    tone: 'err',
    shape: <path d="M5 2 8.6 8.5H1.4L5 2Z" fill="none" stroke="currentColor" strokeWidth="1.4" />,
  },
  running: { word: 'running', tone: 'run', shape: <circle {...RING} strokeWidth="1.6" strokeDasharray="2.32 1.55" /> },
  never_ended: {
    word: 'never ended',
    tone: 'warn',
    shape: (
      <>
        <circle {...RING} strokeWidth="1.4" />
        <path d="M5 1.3a3.7 3.7 0 0 1 0 7.4Z" fill="currentColor" />
      </>
    ),
  },
};

export interface StatusSignProps {
  readonly state: CallState;
  /** Instead of the usual one, such as the name of the error. */
  readonly word?: string | null;
  /** The word is said, not shown. */
  readonly isSignOnly?: boolean;
}

/** Sign, word and colour: state is never colour alone. */
export function StatusSign({ state, word, isSignOnly = false }: StatusSignProps): ReactElement {
  const { tone, shape, word: usual } = LOOKS[state];
  const text = word ?? usual;
  return (
    <span className={classes.status} title={isSignOnly ? text : undefined}>
      <svg viewBox="0 0 10 10" width="10" height="10" className={tone} aria-hidden="true">
        {shape}
      </svg>
      <span className={isSignOnly ? 'vh' : `cut ${classes.word} ${state === 'success' ? 'faint' : tone}`}>{text}</span>
    </span>
  );
}
