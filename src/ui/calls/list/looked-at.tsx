import type { ReactElement } from 'react';
import { Button } from '../../controls/button.tsx';
import { Strip } from '../../controls/strip.tsx';
import { formatCount } from '../../format/count.ts';

export interface LookedAtProps {
  readonly count: number;
  readonly found: number;
  /** Calls that there are to find, as far as that is known. */
  readonly total: number | undefined;
  readonly onGoOn: () => void;
}

/** How far the calls were looked at for those that the filter means. */
export function LookedAt({ count, found, total, onGoOn }: LookedAtProps): ReactElement {
  return (
    <Strip
      tone="warn"
      actions={
        <Button isSmall onClick={onGoOn}>
          Go on
        </Button>
      }
    >
      Looked at <span className="num">{formatCount(count)}</span> calls and found{' '}
      <span className="num">{formatCount(found)}</span>
      {total !== undefined && (
        <>
          {' '}
          of <span className="num">{formatCount(total)}</span>
        </>
      )}
    </Strip>
  );
}
