import type { ReactElement, ReactNode } from 'react';
import { Button } from './button.tsx';
import { useStage } from './use-stage.ts';
import classes from './waiting.module.css';

export interface WaitingWordsProps {
  /** The name of what is being read: `the trace`. */
  readonly what: string;
  /** How much of it has come. */
  readonly count?: ReactNode;
  /** It was stopped, and is not being read. */
  readonly isStopped: boolean;
  /** Absent: it cannot be stopped. */
  readonly onStop?: (() => void) | undefined;
  readonly onGoOn?: (() => void) | undefined;
}

export interface WaitingBarsProps {
  readonly isStopped: boolean;
  /** Grey bars where it will be. */
  readonly children: ReactNode;
}

export type WaitingProps = WaitingWordsProps & WaitingBarsProps;

/** In the place of what is being read: bars at first, after a second how much has come, and a way to stop it. */
export function Waiting({ children, ...words }: WaitingProps): ReactElement {
  return (
    <>
      <WaitingWords {...words} />
      <WaitingBars isStopped={words.isStopped}>{children}</WaitingBars>
    </>
  );
}

/** After a second how much has come, and a way to stop it; for a foot, where bars are elsewhere. */
export function WaitingWords({ what, count, isStopped, onStop, onGoOn }: WaitingWordsProps): ReactElement {
  const stage = useStage(!isStopped);
  return (
    <div className={classes.line} role="status">
      {isStopped && (
        <>
          Stopped reading {what}
          <Button isSmall onClick={onGoOn}>
            Go on
          </Button>
        </>
      )}
      {stage === 'count' && !isStopped && (
        <>
          <span>
            Reading {what}
            {count !== undefined && <>, {count}</>}
          </span>
          {onStop !== undefined && (
            <Button isSmall onClick={onStop}>
              Cancel
            </Button>
          )}
        </>
      )}
    </div>
  );
}

/** Bars, for what does not come at once. */
export function WaitingBars({ isStopped, children }: WaitingBarsProps): ReactElement | null {
  const stage = useStage(!isStopped);
  return stage === 'nothing' || isStopped ? null : <div aria-busy="true">{children}</div>;
}
