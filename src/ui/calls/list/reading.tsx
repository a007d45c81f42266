import type { ReactElement } from 'react';
import { Button } from '../../controls/button.tsx';
import { useStage } from '../../controls/use-stage.ts';
import { formatCount } from '../../format/count.ts';
import type { CallList } from './use-list.ts';

export interface ReadingProps {
  readonly list: CallList;
  readonly total: number | undefined;
}

/** Reading that takes long says how much it is, and can be stopped. */
export function Reading({ list, total }: ReadingProps): ReactElement | null {
  const stage = useStage(list.isLoading);
  if (list.isStopped) {
    return (
      <>
        Stopped reading calls
        <Button isSmall onClick={list.retry}>
          Go on
        </Button>
      </>
    );
  }
  if (stage !== 'count') return null;
  return (
    <>
      <span>
        Reading calls
        {total !== undefined && (
          <>
            , <span className="num">{formatCount(list.rows.length)}</span> of{' '}
            <span className="num">{formatCount(total)}</span>
          </>
        )}
      </span>
      <Button isSmall onClick={list.stop}>
        Cancel
      </Button>
    </>
  );
}
