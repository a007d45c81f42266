import type { ReactElement } from 'react';
import { PageError } from '../data/page-error.ts';
import { Button } from './button.tsx';
import { Icon } from './signs/icon.tsx';
import { Strip } from './strip.tsx';
import classes from './strip.module.css';
import { useCopy } from './use-copy.ts';

export interface FailureProps {
  /** The failure, in words: `Calls could not be read`. */
  readonly what: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

/** A failure, with all that helps to find out why. */
export function Failure({ what, error, onRetry }: FailureProps): ReactElement {
  const requestId = error instanceof PageError ? error.requestId : undefined;
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  const details = [`${what}: ${error.message}`, cause, requestId && `request ${requestId}`, location.href];
  const copy = useCopy();
  return (
    <Strip
      tone="err"
      actions={
        <>
          <Button isSmall onClick={() => copy(details.filter(Boolean).join('\n'))}>
            Copy
          </Button>
          <Button isSmall onClick={onRetry}>
            Retry
          </Button>
        </>
      }
    >
      {what}: {error.message}
      {requestId !== undefined && (
        <>
          , request <span className="num-s">{requestId}</span>
        </>
      )}
    </Strip>
  );
}

/** In the place of what could not be read: nothing there does not mean that there is nothing. */
export function Unread({ what }: { readonly what: string }): ReactElement {
  return <p className={classes.unread}>{what} will be here once they can be read</p>;
}

/** A failure of a part that stands in a line or a narrow pane; its reason is for who points at it. */
export function LineFailure({ error, onRetry }: Omit<FailureProps, 'what'>): ReactElement {
  return (
    <span className={classes.line} role="alert" title={error.message}>
      <Icon name="warning" className="err" />
      <span className="cut">Could not be loaded</span>
      <Button isSmall onClick={onRetry}>
        Retry
      </Button>
    </span>
  );
}
