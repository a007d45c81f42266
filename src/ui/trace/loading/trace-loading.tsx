import type { ReactNode } from 'react';
import { Bone } from '../../controls/signs/bones.tsx';
import { WaitingBars, WaitingWords } from '../../controls/waiting.tsx';
import { formatBytes } from '../../format/bytes.ts';
import { countOf } from '../../format/count.ts';
import { TracePlaces, type TracePlacesProps } from './trace-places.tsx';
import classes from './trace-places.module.css';

/** Widths of bars where names of calls will be, and shares of the lane where their own bars begin and how long they are. */
const NAMES = [150, 110, 170, 90, 140, 120, 160, 100, 130, 115];
const LANES = [
  [0, 96],
  [1, 20],
  [2, 16],
  [22, 30],
  [24, 8],
  [32, 18],
  [52, 28],
  [54, 22],
  [80, 12],
  [86, 6],
] as const;
/** Down to the foot of any window; those below it are not seen. */
const LINES = 60;
/** As lines of the tree are moved. */
const INDENT_PX = 14;
/** Buttons and the field of the tool bar. */
const TOOLS = [132, 208, 64];
/** The name and the numbers of a call, its tabs, and what it holds. */
const DETAIL_HEAD = [180, 260];
const DETAIL_TABS = 300;
const DETAIL = [120, 320, 260, 300, 220, 280];

interface TraceLoadingProps extends Pick<TracePlacesProps, 'hasDetail'> {
  readonly bytes?: number;
  /** As soon as it is known. */
  readonly calls?: number;
  readonly isStopped?: boolean;
  readonly onStop?: () => void;
  readonly onGoOn?: () => void;
}

/** Grey bars where all of a trace will be; after a second how much has come. */
export function TraceLoading(props: TraceLoadingProps): ReactNode {
  const { hasDetail, calls, bytes = 0, isStopped = false, onStop, onGoOn } = props;
  const bars = (children: ReactNode): ReactNode => <WaitingBars isStopped={isStopped}>{children}</WaitingBars>;
  return (
    <TracePlaces
      hasDetail={hasDetail}
      toolbar={
        <>
          {bars(<Bones className={classes.tools} widths={TOOLS} />)}
          <WaitingWords
            what="the trace"
            count={calls === undefined ? formatBytes(bytes) : countOf(calls, 'call')}
            isStopped={isStopped}
            onStop={onStop}
            onGoOn={onGoOn}
          />
        </>
      }
      minimap={bars(LANES.slice(0, 4).map((lane) => <LaneBone key={lane[0]} lane={lane} />))}
      detail={bars(
        <>
          <Bones className={classes.detailHead} widths={DETAIL_HEAD} />
          <Bones className={classes.detailTabs} widths={[DETAIL_TABS]} />
          <Bones className={classes.detailBody} widths={DETAIL} />
        </>,
      )}
    >
      {bars(
        Array.from({ length: LINES }, (_, line) => (
          <div key={line} className={classes.line}>
            <span style={{ paddingLeft: (line % 4) * INDENT_PX }}>
              <Bone width={NAMES[line % NAMES.length] ?? 0} />
            </span>
            <LaneBone lane={LANES[line % LANES.length] ?? LANES[0]} />
          </div>
        )),
      )}
    </TracePlaces>
  );
}

interface BonesProps {
  readonly className: string | undefined;
  readonly widths: readonly number[];
}

function Bones({ className, widths }: BonesProps): ReactNode {
  return (
    <div className={className}>
      {widths.map((width) => (
        <Bone key={width} width={width} />
      ))}
    </div>
  );
}

function LaneBone({ lane: [from, share] }: { readonly lane: readonly [from: number, share: number] }): ReactNode {
  return (
    <span className={classes.lane} style={{ paddingLeft: `${from}%` }}>
      <Bone width={`${share}%`} />
    </span>
  );
}
