import type { ReactNode } from 'react';
import { Bone } from '../controls/signs/bones.tsx';
import { Waiting } from '../controls/waiting.tsx';
import { formatBytes } from '../format/bytes.ts';
import { countOf } from '../format/count.ts';
import classes from './trace-view.module.css';

/** Widths of bars where calls will be. */
const BARS = [320, 260, 200, 290, 170, 240, 190, 260, 150, 220];

/** As lines of the tree are moved. */
const INDENT_PX = 14;

interface TraceLoadingProps {
  readonly bytes?: number;
  /** As soon as it is known. */
  readonly calls?: number;
  readonly isStopped?: boolean;
  readonly onStop?: () => void;
  readonly onGoOn?: () => void;
}

/** Grey bars where the tree will be, below the places of what stands above it; after a second how much has come. */
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
        <div className={classes.minimapPlace} />
        <div className={classes.namesPlace} />
        {BARS.map((width, line) => (
          <div key={`${line} ${width}`} className={classes.bones} style={{ paddingLeft: (line % 4) * INDENT_PX }}>
            <Bone width={width} />
          </div>
        ))}
      </Waiting>
    </div>
  );
}
