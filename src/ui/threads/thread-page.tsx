import { type ReactElement, useEffect } from 'react';
import { useLocation } from 'wouter';
import { THREAD } from '../address/pages.ts';
import { paths } from '../address/paths.ts';
import { useAddress } from '../address/use-address.ts';
import { CallSourceContext } from '../call/call-source.ts';
import { useServiceSource } from '../call/service-source.ts';
import { Failure } from '../controls/failure.tsx';
import type { CallRow } from '../data/answers.ts';
import { useTurns } from '../data/threads.ts';
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
  const { data: turns = NONE, error, refetch, isPending } = useTurns(project, threadId);
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

const NONE: readonly CallRow[] = [];

function nextError(turns: readonly CallRow[], from: number): number {
  const next = turns.findIndex(({ state }, index) => index > from && state === 'error');
  return next === -1 ? turns.findIndex(({ state }) => state === 'error') : next;
}
