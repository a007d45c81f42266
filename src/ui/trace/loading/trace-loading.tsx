import type { ReactNode } from 'react';
import { Bone } from '../../controls/signs/bones.tsx';
import { WaitingBars, WaitingWords } from '../../controls/waiting.tsx';
import { formatBytes } from '../../format/bytes.ts';
import { countOf } from '../../format/count.ts';
import { TracePlaces, type TracePlacesProps } from './trace-places.tsx';
import classes from './trace-places.module.css';

/** Widths of bars where calls will be. */
const BARS = [320, 260, 200, 290, 170, 240, 190, 260, 150, 220];

/** As lines of the tree are moved. */
const INDENT_PX = 14;

interface TraceLoadingProps extends Pick<TracePlacesProps, 'detail'> {
  readonly bytes?: number;
  /** As soon as it is known. */
  readonly calls?: number;
  readonly isStopped?: boolean;
  readonly onStop?: () => void;
  readonly onGoOn?: () => void;
}

/** Grey bars where the tree will be; after a second how much has come. */
export function TraceLoading(props: TraceLoadingProps): ReactNode {
  const { detail, calls, bytes = 0, isStopped = false, onStop, onGoOn } = props;
  const words = (
    <WaitingWords
      what="the trace"
      count={calls === undefined ? formatBytes(bytes) : countOf(calls, 'call')}
      isStopped={isStopped}
      onStop={onStop}
      onGoOn={onGoOn}
    />
  );
  return (
    <TracePlaces detail={detail} words={words}>
      <WaitingBars isStopped={isStopped}>
        {BARS.map((width, line) => (
          <div key={`${line} ${width}`} className={classes.bones} style={{ paddingLeft: (line % 4) * INDENT_PX }}>
            <Bone width={width} />
          </div>
        ))}
      </WaitingBars>
    </TracePlaces>
  );
}
