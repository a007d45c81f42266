import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';
import { useLocation } from 'wouter';
import { THREAD } from '../address/pages.ts';
import { paths } from '../address/paths.ts';
import { useAddress } from '../address/use-address.ts';
import { CallSourceContext } from '../call/call-source.ts';
import { useServiceSource } from '../call/service-source.ts';
import { Failure } from '../controls/failure.tsx';
import { Bone } from '../controls/signs/bones.tsx';
import { Waiting } from '../controls/waiting.tsx';
import type { CallRow } from '../data/answers.ts';
import { turnsKey, useTurns } from '../data/threads.ts';
import { ContentSourceContext } from '../json/content-source.ts';
import { useKeys } from '../shell/keys.ts';
import { Conversation } from './conversation.tsx';
import { ThreadHead } from './thread-head.tsx';
import classes from './thread-page.module.css';
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
  const { data: turns = NONE, error, refetch, isPending, isFetching } = useTurns(project, threadId);
  const client = useQueryClient();
  const [{ turn: asked }, change] = useAddress(THREAD);
  const [, navigate] = useLocation();
  const found = turns.findIndex(({ id }) => id === asked);
  const selected = found === -1 ? turns.length - 1 : found;
  const choose = (index: number): void => {
    const turn = turns[Math.min(Math.max(0, index), turns.length - 1)];
    if (turn !== undefined) change({ turn: turn.id }, { isReplacing: true });
  };
  useEffect(() => {
    document.title = `Thread ${threadId} · ${project.split('/').at(-1) ?? project} · spoor`;
  }, [project, threadId]);
  useKeys('Thread', [
    { keys: ['j', 'ArrowDown'], label: 'next turn', run: () => choose(selected + 1) },
    { keys: ['k', 'ArrowUp'], label: 'previous turn', run: () => choose(selected - 1) },
    { keys: ['n'], label: 'next error', run: () => choose(nextError(turns, selected)) },
    { keys: ['Escape'], label: 'back to threads', run: () => navigate(paths.threads(project)) },
  ]);
  const turn = turns[selected];
  return (
    <CallSourceContext value={source}>
      <ContentSourceContext value={source}>
        <ThreadHead threadId={threadId} turns={turns} onBack={() => navigate(paths.threads(project))} />
        {error !== null && <Failure what="The thread could not be read" error={error} onRetry={() => void refetch()} />}
        {isPending && error === null && (
          <div className={classes.waiting}>
            <Waiting
              what="the turns"
              isStopped={!isFetching}
              onStop={() => void client.cancelQueries({ queryKey: turnsKey(project, threadId) })}
              onGoOn={() => void refetch()}
            >
              {BARS.map((width) => (
                <p key={width}>
                  <Bone width={width} />
                </p>
              ))}
            </Waiting>
          </div>
        )}
        {!isPending && turns.length === 0 && error === null && (
          <p className={classes.none}>This thread has no turns here: they were deleted, or never came.</p>
        )}
        {turn !== undefined && (
          <>
            <TurnStrip turns={turns} selected={selected} onSelect={choose} />
            <div className={classes.panes}>
              <TurnList turns={turns} selected={selected} onSelect={choose} />
              <Conversation project={project} turns={turns} selected={selected} onSelect={choose} />
              <TurnFacts project={project} turns={turns} selected={selected} turn={turn} />
            </div>
          </>
        )}
      </ContentSourceContext>
    </CallSourceContext>
  );
}

/** Widths of bars where messages will be. */
const BARS = [420, 560, 180, 520, 380, 240];
const NONE: readonly CallRow[] = [];

function nextError(turns: readonly CallRow[], from: number): number {
  const next = turns.findIndex(({ state }, index) => index > from && state === 'error');
  return next === -1 ? turns.findIndex(({ state }) => state === 'error') : next;
}
