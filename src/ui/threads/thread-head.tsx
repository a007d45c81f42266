import type { ReactElement, ReactNode } from 'react';
import { CopyMenu } from '../calls/copy-menu.tsx';
import { IconButton } from '../controls/button.tsx';
import { Chip } from '../controls/signs/chip.tsx';
import pageHead from '../controls/page-head.module.css';
import { FactLine, type LineFact } from '../controls/facts/fact-line.tsx';
import { CostSign } from '../controls/signs/cost-sign.tsx';
import { StatusSign } from '../controls/signs/status-sign.tsx';
import type { CallRow } from '../data/answers.ts';
import { formatCount, formatShare } from '../format/count.ts';
import { formatLatency } from '../format/latency.ts';
import { previewText } from '../format/preview.ts';
import { showControls } from '../json/show-controls.ts';
import classes from './thread-page.module.css';

export interface ThreadHeadProps {
  readonly project: string;
  readonly threadId: string;
  readonly turns: readonly CallRow[];
  /** Whether it is shown as it goes on. */
  readonly live: ReactNode;
  readonly onBack: () => void;
}

/** The conversation's name, beginning and numbers, in one line. */
export function ThreadHead({ project, threadId, turns, live, onBack }: ThreadHeadProps): ReactElement {
  const running = turns.findIndex(({ state }) => state === 'running');
  const name = showControls(threadId);
  return (
    <header className={`${pageHead.head} ${classes.head}`}>
      <IconButton isSmall icon="back" label="Back to threads" keys="Escape" onClick={onBack} />
      <h1 className="cut" title={name}>
        <bdi>{name}</bdi>
      </h1>
      {turns[0] !== undefined && (
        <span className={`cut muted ${classes.about}`}>
          <bdi>{showControls(previewText(turns[0].input ?? ''))}</bdi>
        </span>
      )}
      {turns.length > 0 && <FactLine className={classes.facts} facts={lineFacts(turns)} />}
      {turns.length === 0 && <span className="grow" />}
      {running !== -1 && (
        <span className={classes.running}>
          <Chip tone="run">
            <StatusSign state="running" word={`turn ${running + 1} running`} />
          </Chip>
        </span>
      )}
      {live}
      <CopyMenu project={project} kind="thread" id={threadId} />
    </header>
  );
}

function lineFacts(turns: readonly CallRow[]): readonly LineFact[] {
  const tokens = sumOf(turns, 'tokens');
  const unpriced = [...new Set(turns.flatMap(({ unpriced_models: models }) => models))];
  const cost = turns.some(({ cost: usd }) => usd !== null) ? sumOf(turns, 'cost') : null;
  const errors = turns.filter(({ state }) => state === 'error').length;
  const all: readonly (LineFact | false)[] = [
    { name: 'turns', content: <Counted count={turns.length} word={turns.length === 1 ? 'turn' : 'turns'} /> },
    { name: 'duration', content: <span className="num">{formatLatency(spanOf(turns))}</span> },
    tokens > 0 && {
      name: 'tokens',
      content: (
        <>
          <Counted count={tokens} word="tok" />{' '}
          <span className="faint">
            ({formatShare(sumOf(turns, 'tokens_cached'), sumOf(turns, 'tokens_in'))} cached)
          </span>
        </>
      ),
    },
    (cost !== null || unpriced.length > 0) && {
      name: 'cost',
      content: (
        <span className="num">
          <CostSign usd={cost} unpriced={unpriced} />
        </span>
      ),
    },
    errors > 0 && {
      name: 'errors',
      content: (
        <span className="err">
          <Counted count={errors} word={errors === 1 ? 'error' : 'errors'} />
        </span>
      ),
    },
  ];
  return all.filter((fact) => fact !== false);
}

function Counted({ count, word }: { readonly count: number; readonly word: string }): ReactElement {
  return (
    <>
      <span className="num">{formatCount(count)}</span> {word}
    </>
  );
}

type Number = 'tokens' | 'tokens_in' | 'tokens_cached' | 'cost';

function sumOf(turns: readonly CallRow[], name: Number): number {
  return turns.reduce((sum, turn) => sum + (turn[name] ?? 0), 0);
}

function spanOf(turns: readonly CallRow[]): number {
  const ends = turns.map(({ ended_at: ended, started_at: started }) => Date.parse(ended ?? started));
  return Math.max(...ends) - Date.parse(turns[0]?.started_at ?? '');
}
