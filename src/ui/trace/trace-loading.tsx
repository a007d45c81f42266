import { countOf } from '../format/count.ts';
import { formatBytes } from '../format/bytes.ts';
import { type ReactNode, useEffect, useState } from 'react';
import classes from './trace-view.module.css';

/** What comes sooner needs no sign that it is coming. */
const BARS_AFTER_MS = 150;
const COUNT_AFTER_MS = 1000;
const BARS = [38, 30, 24, 34, 20, 28, 22, 30, 18, 26];

interface TraceLoadingProps {
  readonly bytes?: number;
  /** As soon as it is known. */
  readonly calls?: number;
}

/** Grey bars where the tree will be; after a second how much has come. */
export function TraceLoading({ calls, bytes = 0 }: TraceLoadingProps): ReactNode {
  const [stage, setStage] = useState<'nothing' | 'bars' | 'count'>('nothing');
  useEffect(() => {
    const timers = [
      setTimeout(() => setStage('bars'), BARS_AFTER_MS),
      setTimeout(() => setStage('count'), COUNT_AFTER_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <div className={classes.loading} aria-busy="true">
      <p role="status">
        {stage === 'count'
          ? `Reading the trace: ${calls === undefined ? formatBytes(bytes) : countOf(calls, 'call')}…`
          : ''}
      </p>
      {stage !== 'nothing' &&
        BARS.map((width, line) => (
          <i key={`${line} ${width}`} style={{ width: `${width}%`, marginLeft: (line % 4) * 14 }} />
        ))}
    </div>
  );
}
