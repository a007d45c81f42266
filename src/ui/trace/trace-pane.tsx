import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../controls/button.tsx';
import { Failure, Unread } from '../controls/failure.tsx';
import { isSaidOfPage } from '../data/page-error.ts';
import { useIsGone } from '../shell/gone.ts';
import type { TraceSkeleton } from './layout/skeleton.ts';
import { UnreadHead } from './trace-head.tsx';
import { TraceLoading } from './loading/trace-loading.tsx';
import { TracePlaces } from './loading/trace-places.tsx';
import { TraceView, type TraceViewProps } from './trace-view.tsx';
import { type ReadInputs, useAttempts } from './use-attempts.ts';
import { useCalmZoom } from './use-calm-zoom.ts';
import { useTraceLayout } from './use-trace-layout.ts';
import { type TraceReading, type TraceSource, useTraceSkeleton } from './use-trace-skeleton.ts';
import classes from './trace-view.module.css';

export interface TracePaneProps extends Omit<TraceViewProps, 'trace'> {
  /** Another one is another trace: keep it as long as the trace is the same. */
  readonly source: TraceSource;
  /** Absent: nothing is said to be an attempt. Keep it, as the source. */
  readonly readInputs?: ReadInputs;
}

/** A trace from where it comes to what is on the screen, in every state between. */
export function TracePane({ source, ...view }: TracePaneProps): ReactNode {
  const reading = useTraceSkeleton(source);
  const isGone = useIsGone();
  useReadWhenBack(reading, isGone);
  const [address, change] = useCalmZoom(view.address, view.change);
  const hasDetail = view.detail !== undefined;
  if (!reading.skeleton) {
    return (
      <div className={classes.view}>
        <UnreadHead onBack={view.onBack} />
        {reading.error ? (
          <>
            <Failure what="This trace could not be read" error={reading.error} onRetry={reading.retry} />
            <TracePlaces hasDetail={hasDetail}>
              <Unread what="Its calls" />
            </TracePlaces>
          </>
        ) : (
          <TraceLoading
            hasDetail={hasDetail}
            bytes={reading.bytes}
            isStopped={reading.isStopped}
            onStop={reading.stop}
            onGoOn={reading.retry}
          />
        )}
      </div>
    );
  }
  if (reading.skeleton.count === 0) return <TraceEmpty onBack={view.onBack} />;
  return (
    <div className={classes.view}>
      {reading.error && !(isGone && isSaidOfPage(reading.error, reading.skeleton)) && (
        <Failure what="This trace could not be read" error={reading.error} onRetry={reading.retry} />
      )}
      <LaidOut {...view} address={address} change={change} skeleton={reading.skeleton} />
    </div>
  );
}

/** A trace that could not be read while the service was gone is read once it is back. */
function useReadWhenBack({ error, retry }: TraceReading, isGone: boolean): void {
  const hasFailed = error !== undefined;
  const was = useRef(false);
  useEffect(() => {
    if (was.current && !isGone) retry();
    was.current = isGone && hasFailed;
  }, [isGone, hasFailed, retry]);
}

function LaidOut({
  skeleton,
  readInputs,
  ...view
}: Omit<TracePaneProps, 'source'> & { readonly skeleton: TraceSkeleton }): ReactNode {
  const { trace: laidOut, error, retry } = useTraceLayout(skeleton);
  const trace = useAttempts(laidOut, readInputs);
  return (
    <>
      {!trace && <UnreadHead onBack={view.onBack} />}
      {error && <Failure what="This trace could not be laid out" error={error} onRetry={retry} />}
      {trace && <TraceView {...view} trace={trace} />}
      {!trace && error && <TracePlaces hasDetail={view.detail !== undefined} />}
      {!trace && !error && <TraceLoading hasDetail={view.detail !== undefined} calls={skeleton.count} />}
    </>
  );
}

function TraceEmpty({ onBack }: { readonly onBack: TraceViewProps['onBack'] }): ReactNode {
  return (
    <div className={classes.view}>
      <UnreadHead onBack={onBack} />
      <div className={classes.empty}>
        <b>No calls in this trace</b>
        <p>It was deleted, it is of another project, or its first call is still on its way.</p>
        {onBack && <Button onClick={onBack}>Back to calls</Button>}
      </div>
    </div>
  );
}
