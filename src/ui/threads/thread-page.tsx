import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import { THREAD } from '../address/pages.ts';
import { paths } from '../address/paths.ts';
import { useAddress } from '../address/use-address.ts';
import { LiveButton } from '../calls/live-button.tsx';
import { useStillRunning } from '../calls/use-still-running.ts';
import { useRefresh } from '../calls/list/use-refresh.ts';
import { CallSourceContext } from '../call/call-source.ts';
import { useServiceSource } from '../call/service-source.ts';
import { Button } from '../controls/button.tsx';
import { Failure } from '../controls/failure.tsx';
import { Strip } from '../controls/strip.tsx';
import type { CallRow } from '../data/answers.ts';
import { PausedContext } from '../data/as-of.ts';
import { useCallChanges } from '../data/call-changes.ts';
import { isSaidOfPage } from '../data/page-error.ts';
import { type FirstRows, turnsKey, useTurns } from '../data/threads.ts';
import { KnownCalls } from '../data/known-calls.ts';
import { formatCount } from '../format/count.ts';
import { ContentSourceContext } from '../json/content-source.ts';
import { command } from '../shell/commands.ts';
import { useKeys } from '../shell/keys.ts';
import { Conversation } from './conversation.tsx';
import { ThreadHead } from './thread-head.tsx';
import { ThreadLoading, ThreadUnread } from './thread-loading.tsx';
import classes from './thread-page.module.css';
import { useTurnFind } from './turn-find.ts';
import { TurnFacts } from './turn-facts.tsx';
import { TurnList } from './turn-list.tsx';
import { TurnStrip } from './turn-strip.tsx';

export interface ThreadPageProps {
  /** `entity/project`. */
  readonly project: string;
  readonly threadId: string;
}

/** One conversation: its turns, what was said, and the numbers of the turn that is selected. */
export function ThreadPage({ project, threadId }: ThreadPageProps): ReactElement {
  const source = useServiceSource(project);
  const { data, error, refetch, isPending, isFetching } = useTurns(project, threadId);
  const turns = data?.rows ?? NONE;
  const client = useQueryClient();
  const [{ turn: asked, f, live }, change] = useAddress(THREAD);
  const isOpen = useFollowedThread({ project, threadId, turns, isFollowing: live });
  const pause = () => change({ live: !live }, { isReplacing: true });
  const [, navigate] = useLocation();
  const found = turns.findIndex(({ id }) => id === asked);
  const selected = found === -1 ? turns.length - 1 : found;
  const choose = (index: number): void => {
    const turn = turns[Math.min(Math.max(0, index), turns.length - 1)];
    if (turn !== undefined) change({ turn: turn.id }, { isReplacing: true });
  };
  // The newest one is shown until somebody reads or says something: then a newer one must not take its place.
  const stay = (): void => {
    if (found === -1) choose(selected);
  };
  useEffect(() => {
    document.title = `Thread ${threadId} · ${project.split('/').at(-1) ?? project} · spoor`;
  }, [project, threadId]);
  const field = useRef<HTMLInputElement>(null);
  const find = useTurnFind({
    turns,
    selected,
    text: f,
    onFind: (text) => change({ f: text }, { isReplacing: true }),
    onSelect: choose,
  });
  const goToError = () => choose(nextError(turns, selected));
  // Arrows scroll the conversation where one reads it.
  const list = useRef<HTMLDivElement>(null);
  const within = () => list.current;
  useKeys('Thread', [
    { ...command('Thread', 'j'), run: () => choose(selected + 1) },
    { ...command('Thread', 'k'), run: () => choose(selected - 1) },
    { ...command('Thread', 'ArrowDown'), within, run: () => choose(selected + 1) },
    { ...command('Thread', 'ArrowUp'), within, run: () => choose(selected - 1) },
    { ...command('Thread', 'n'), run: goToError },
    { ...command('Thread', '/'), run: () => field.current?.select() },
    { ...command('Thread', 'Mod+.'), isEverywhere: true, run: pause },
    { ...command('Thread', 'Escape'), run: () => navigate(paths.threads(project)) },
  ]);
  const turn = turns[selected];
  return (
    <CallSourceContext value={source}>
      <ContentSourceContext value={source}>
        <PausedContext value={!live}>
          <ThreadHead
            project={project}
            threadId={threadId}
            turns={turns}
            live={
              <LiveButton isOn={live} isOpen={isOpen} isIdle={error !== null && data === undefined} onToggle={pause} />
            }
            onBack={() => navigate(paths.threads(project))}
          />
          {error !== null && !isSaidOfPage(error, data) && (
            <Failure what="The thread could not be read" error={error} onRetry={() => void refetch()} />
          )}
          {error !== null && data === undefined && <ThreadUnread />}
          {isPending && error === null && (
            <ThreadLoading
              isStopped={!isFetching}
              onStop={() => void client.cancelQueries({ queryKey: turnsKey(project, threadId) })}
              onGoOn={() => void refetch()}
            />
          )}
          {!isPending && turns.length === 0 && error === null && (
            <div className={classes.none}>
              <b>This thread has no turns here</b>
              <p>They were deleted, or have not arrived.</p>
              <Button onClick={() => navigate(paths.threads(project))}>Back to threads</Button>
            </div>
          )}
          {data?.isCut === true && (
            <Strip tone="warn">The first {formatCount(turns.length)} turns; this thread has more</Strip>
          )}
          {turn !== undefined && (
            <>
              <TurnStrip turns={turns} selected={selected} onSelect={choose} />
              <div className={classes.panes}>
                <TurnList
                  ref={list}
                  turns={turns}
                  selected={selected}
                  find={find}
                  findField={field}
                  onSelect={choose}
                  onNextError={turns.some(({ state }) => state === 'error') ? goToError : undefined}
                />
                <Conversation project={project} turns={turns} selected={selected} onSelect={choose} onRead={stay} />
                <TurnFacts project={project} turns={turns} selected={selected} turn={turn} onUse={stay} />
              </div>
            </>
          )}
        </PausedContext>
      </ContentSourceContext>
    </CallSourceContext>
  );
}

/** A conversation that goes on is read again, at most so often. */
const FRESH_MS = 1000;

interface FollowedThread {
  readonly project: string;
  readonly threadId: string;
  readonly turns: readonly CallRow[];
  readonly isFollowing: boolean;
}

/** Whether changes are told. */
function useFollowedThread({ project, threadId, turns, isFollowing }: FollowedThread): boolean {
  const refreshTurns = useRefresh(turnsKey(project, threadId), FRESH_MS, !isFollowing);
  const refreshCalls = useRefresh(['calls of turn', project], FRESH_MS, !isFollowing);
  const client = useQueryClient();
  const known = useMemo(
    () => new KnownCalls({ isOwn: (row) => row.thread_id === threadId, ids: () => idsRead(client, project, threadId) }),
    [client, project, threadId],
  );
  const refresh = () => {
    refreshTurns();
    refreshCalls();
  };
  useStillRunning(turns, isFollowing, refresh);
  return useCallChanges(project, isFollowing, {
    onChanges: (changes) => {
      if (known.concerns(changes)) refresh();
    },
    onReturn: refresh,
  }).isOpen;
}

/** The turns, and the calls of those that were looked at. */
function idsRead(client: QueryClient, project: string, threadId: string): readonly string[] | undefined {
  const turns = client.getQueryData<FirstRows>(turnsKey(project, threadId));
  const calls = client.getQueriesData<FirstRows>({ queryKey: ['calls of turn', project] });
  return turns && [turns, ...calls.flatMap(([, read]) => read ?? [])].flatMap(({ rows }) => rows.map(({ id }) => id));
}

const NONE: readonly CallRow[] = [];

function nextError(turns: readonly CallRow[], from: number): number {
  const failed = turns.flatMap(({ state }, index) => (state === 'error' ? index : []));
  return failed.find((index) => index > from) ?? failed[0] ?? from;
}
