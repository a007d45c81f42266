import { type ReactElement, useEffect, useState } from 'react';
import { Button } from '../../controls/button.tsx';
import { formatCount } from '../../format/count.ts';
import type { CallList } from './use-list.ts';

export interface ReadingProps {
  readonly list: CallList;
  readonly total: number | undefined;
}

/** Reading that takes long says how much it is, and can be stopped. */
export function Reading({ list, total }: ReadingProps): ReactElement | null {
  const isLong = useIsLong(list.isLoading);
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
  if (!isLong) return null;
  return (
    <>
      <span>
        Reading calls
        {total !== undefined && (
          <>
            {' '}
            of <span className="num">{formatCount(total)}</span>
          </>
        )}
      </span>
      <Button isSmall onClick={list.stop}>
        Cancel
      </Button>
    </>
  );
}

const LONG_MS = 1000;

function useIsLong(isOn: boolean): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    setIsLong(false);
    if (!isOn) return undefined;
    const timer = setTimeout(() => setIsLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, [isOn]);
  return isLong;
}
