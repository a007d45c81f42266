import type { ReactNode } from 'react';
import type { TraceSkeleton } from './layout/skeleton.ts';
import { TraceLoading } from './trace-loading.tsx';
import { TraceView, type TraceViewProps } from './trace-view.tsx';
import { useTraceLayout } from './use-trace-layout.ts';
import { type TraceReading, type TraceSource, useTraceSkeleton } from './use-trace-skeleton.ts';
import classes from './trace-view.module.css';

export interface TracePaneProps extends Omit<TraceViewProps, 'trace'> {
  /** Another one is another trace: keep it as long as the trace is the same. */
  readonly source: TraceSource;
}

/** A trace from where it comes to what is on the screen, in every state between. */
export function TracePane({ source, ...view }: TracePaneProps): ReactNode {
  const reading = useTraceSkeleton(source);
  if (!reading.skeleton) {
    return reading.error ? (
      <TraceFailed error={reading.error} reading={reading} />
    ) : (
      <TraceLoading calls={reading.calls} />
    );
  }
  if (reading.skeleton.count === 0) return <TraceEmpty onBack={view.onBack} />;
  return (
    <div className={classes.view}>
      {reading.error && <TraceFailed error={reading.error} reading={reading} />}
      <LaidOut {...view} skeleton={reading.skeleton} />
    </div>
  );
}

function LaidOut({
  skeleton,
  ...view
}: Omit<TraceViewProps, 'trace'> & { readonly skeleton: TraceSkeleton }): ReactNode {
  const { trace, error } = useTraceLayout(skeleton);
  if (error) throw error;
  return trace ? <TraceView {...view} trace={trace} /> : <TraceLoading calls={skeleton.count} />;
}

/** A strip: what was shown before stays below it. */
function TraceFailed({ error, reading }: { readonly error: Error; readonly reading: TraceReading }): ReactNode {
  return (
    <div className={classes.failed} role="alert">
      <span>Cannot read this trace: {error.message}</span>
      <button type="button" onClick={reading.retry}>
        Retry
      </button>
      <button type="button" onClick={() => void navigator.clipboard.writeText(`${error.name}: ${error.message}`)}>
        Copy details
      </button>
    </div>
  );
}

function TraceEmpty({ onBack }: { readonly onBack: () => void }): ReactNode {
  return (
    <div className={classes.empty}>
      <h1>No calls in this trace</h1>
      <p>It was deleted, it is of another project, or its first call is still on its way.</p>
      <button type="button" onClick={onBack}>
        Back to calls
      </button>
    </div>
  );
}
