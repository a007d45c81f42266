import { type ReactElement, type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import { comparePath } from '../address/compare-path.ts';
import { TRACE } from '../address/pages.ts';
import { paths } from '../address/paths.ts';
import { useAddress } from '../address/use-address.ts';
import type { CallState } from '../controls/signs/status-sign.tsx';
import { PausedContext } from '../data/as-of.ts';
import { useCallChanges } from '../data/call-changes.ts';
import { KnownCalls } from '../data/known-calls.ts';
import { inputsOf } from '../data/call-inputs.ts';
import { readTraceSkeleton } from '../data/trace-skeleton.ts';
import { rowsAmong } from '../data/call-rows.ts';
import { CachedTokens } from './cached-tokens.tsx';
import type { TraceSkeleton } from './layout/skeleton.ts';
import { traceAddressOf, traceStateOf } from './trace-address.ts';
import { TraceMenu } from './trace-menu.tsx';
import { TracePane } from './trace-pane.tsx';
import type { ReadInputs } from './use-attempts.ts';
import type { TraceListener, TraceSource } from './use-trace-skeleton.ts';

export interface TracePageProps {
  /** `entity/project`. */
  readonly project: string;
  readonly traceId: string;
  /** The pane of a call of this project. */
  readonly detail?: (callId: string, state: CallState | undefined) => ReactNode;
}

/** The trace that the address names, as it grows. */
export function TracePage({ project, traceId, detail }: TracePageProps): ReactElement {
  const [state, change] = useAddress(TRACE);
  const [, navigate] = useLocation();
  const address = useMemo(() => traceAddressOf(state), [state]);
  const { source, isOpen } = useLiveTrace(project, traceId, state.live);
  const hrefOfCall = useCallback(
    (call: string) => `${paths.trace(project, traceId)}?${TRACE.write(location.search, { call, tab: '' })}`,
    [project, traceId],
  );
  const readInputs = useCallback<ReadInputs>((ids, signal) => inputsOf(project, ids, signal), [project]);
  return (
    <PausedContext value={!state.live}>
      <TracePane
        source={source}
        readInputs={readInputs}
        address={address}
        change={(part, step) => change(traceStateOf(part), { isReplacing: step === 'replace' })}
        titleEnd={`${project.split('/').at(-1) ?? project} · spoor`}
        hrefOfCall={hrefOfCall}
        onBack={() => navigate(paths.calls(project))}
        onCompare={() => navigate(comparePath(project, traceId))}
        cached={(roots, tokens) => (
          <CachedTokens source={project} roots={roots} tokens={tokens} read={(ids) => cachedOf(project, ids)} />
        )}
        following={{
          isOn: state.live,
          isOpen,
          onToggle: () => change({ live: !state.live }, { isReplacing: true }),
        }}
        actions={<TraceMenu project={project} traceId={traceId} />}
        {...(detail && { detail })}
      />
    </PausedContext>
  );
}

interface LiveTrace {
  readonly source: TraceSource;
  readonly isOpen: boolean;
}

function useLiveTrace(project: string, traceId: string, isFollowing: boolean): LiveTrace {
  const listeners = useRef(new Set<TraceListener>());
  const tell = (): void => listeners.current.forEach(({ onChange }) => onChange());
  const newest = useRef<TraceSkeleton>(undefined);
  const known = useMemo(
    () => new KnownCalls({ isOwn: (row) => row.trace_id === traceId, ids: () => newest.current?.ids }),
    [traceId],
  );
  const isPaused = useRef(!isFollowing);
  useEffect(() => {
    isPaused.current = !isFollowing;
  });
  const { isOpen } = useCallChanges(project, isFollowing, {
    onChanges: (changes) => {
      if (known.concerns(changes)) tell();
    },
    onReturn: () => listeners.current.forEach(({ onReturn }) => onReturn()),
  });
  const source = useMemo<TraceSource>(
    () => ({
      isPaused: () => isPaused.current,
      read: async (signal, progress) => {
        newest.current = await readTraceSkeleton({ project, traceId, signal, progress });
        return newest.current;
      },
      watch: (listener) => {
        const all = listeners.current;
        all.add(listener);
        return () => void all.delete(listener);
      },
    }),
    [project, traceId],
  );
  return { source, isOpen };
}

async function cachedOf(project: string, ids: readonly string[]): Promise<readonly number[]> {
  return (await rowsAmong({ project_id: project }, ids)).map(({ tokens_cached: cached }) => cached ?? 0);
}
