import type { ReactElement } from 'react';
import { PageError } from '../data/page-error.ts';
import { Button } from './button.tsx';
import { Strip } from './strip.tsx';
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
  const details = [`${what}: ${error.message}`, requestId && `request ${requestId}`, location.href].filter(Boolean);
  const copy = useCopy();
  return (
    <Strip
      tone="err"
      actions={
        <>
          <Button isSmall onClick={() => copy(details.join('\n'))}>
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
