import type { ReactNode } from 'react';
import { Waiting } from '../controls/waiting.tsx';
import { formatBytes } from '../format/bytes.ts';
import { countOf } from '../format/count.ts';
import classes from './trace-view.module.css';

const BARS = [38, 30, 24, 34, 20, 28, 22, 30, 18, 26];

interface TraceLoadingProps {
  readonly bytes?: number;
  /** As soon as it is known. */
  readonly calls?: number;
  readonly isStopped?: boolean;
  readonly onStop?: () => void;
  readonly onGoOn?: () => void;
}

/** Grey bars where the tree will be; after a second how much has come. */
export function TraceLoading({ calls, bytes = 0, isStopped = false, onStop, onGoOn }: TraceLoadingProps): ReactNode {
  return (
    <div className={classes.loading}>
      <Waiting
        what="the trace"
        count={calls === undefined ? formatBytes(bytes) : countOf(calls, 'call')}
        isStopped={isStopped}
        onStop={onStop}
        onGoOn={onGoOn}
      >
        {BARS.map((width, line) => (
          <i key={`${line} ${width}`} style={{ width: `${width}%`, marginLeft: (line % 4) * 14 }} />
        ))}
      </Waiting>
    </div>
  );
}
