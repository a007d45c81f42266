import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import { callPath } from '../address/paths.ts';
import { FeedbackTab } from '../call/feedback-tab.tsx';
import { type CallFeedback, useFeedback } from '../call/use-feedback.ts';
import { useGiving } from '../call/use-giving.ts';
import { KindBox } from '../controls/signs/kind-box.tsx';
import { CostSign } from '../controls/signs/cost-sign.tsx';
import { LinkButton } from '../controls/link-button.tsx';
import type { CallRow } from '../data/answers.ts';
import { type FirstRows, useCallsOfTurn } from '../data/threads.ts';
import { formatCount, formatShare } from '../format/count.ts';
import { formatLatency, latencyText } from '../format/latency.ts';
import { showControls } from '../json/show-controls.ts';
import classes from './thread-page.module.css';

export interface TurnFactsProps {
  readonly project: string;
  readonly turns: readonly CallRow[];
  readonly selected: number;
  readonly turn: CallRow;
  /** Somebody says something about the turn, or begins to. */
  readonly onUse: () => void;
}

/** The numbers of a turn, what it called, and what was said about it. */
export function TurnFacts({ project, turns, selected, turn, onUse }: TurnFactsProps): ReactElement {
  const feedback = useFeedback(turn.id, turn.name);
  return (
    <aside className={classes.side} aria-label="Turn facts">
      <div className={classes.bar}>
        <h2>Turn {selected + 1}</h2>
        <span className="grow" />
        <LinkButton icon="trace" href={callPath(project, turn.trace_id, turn.id)}>
          Open trace
        </LinkButton>
      </div>
      <div className={classes.scroller}>
        <h3>Numbers</h3>
        <dl className={classes.numbers}>
          {numbersOf(turn, turns).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <CallsOfTurn project={project} turn={turn} />
        <h3>Feedback</h3>
        <Said key={turn.id} feedback={feedback} onUse={onUse} />
      </div>
    </aside>
  );
}

interface SaidProps {
  readonly feedback: CallFeedback;
  readonly onUse: () => void;
}

function Said({ feedback, onUse }: SaidProps): ReactElement {
  return <FeedbackTab feedback={feedback} giving={useGiving(feedback, { onUse })} />;
}

function numbersOf(turn: CallRow, turns: readonly CallRow[]): (readonly [string, ReactNode])[] {
  // Of a sum that is not whole there is no share.
  const isPartly = turns.some(({ unpriced_models: models }) => models.length > 0);
  const total = turns.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  const { tokens_in: input, tokens_cached: cached, tokens_out: output, cost, unpriced_models: unpriced } = turn;
  return [
    ['Latency', latencyText(turn)],
    ['Tokens in', input === null ? '–' : formatCount(input)],
    ['of them cached', cached === null ? '–' : formatCount(cached)],
    ['Tokens out', output === null ? '–' : formatCount(output)],
    ['Cost', cost === null && unpriced.length === 0 ? '–' : <CostSign key="cost" usd={cost} unpriced={unpriced} />],
    ['Share of thread', cost === null || isPartly ? '–' : formatShare(cost, total)],
  ];
}

/** Calls that took less than this are counted, not named. */
const SHORT_MS = 50;
const MOST_NAMED = 12;
const NONE: FirstRows = { rows: [], isCut: false };

function CallsOfTurn({ project, turn }: { readonly project: string; readonly turn: CallRow }): ReactElement | null {
  const { rows: calls, isCut } = useCallsOfTurn(project, turn.id).data ?? NONE;
  const named = calls.filter(({ latency_ms: ms }) => ms === null || ms >= SHORT_MS).slice(0, MOST_NAMED);
  const rest = calls.length - named.length;
  if (calls.length === 0) return null;
  return (
    <>
      <h3>
        Calls{' '}
        <span className="num-s faint">
          {formatCount(calls.length)}
          {isCut && '+'}
        </span>
      </h3>
      {named.map((call) => (
        <Link key={call.id} className={classes.call} href={callPath(project, call.trace_id, call.id)}>
          <KindBox kind={call.kind} />
          <span className="cut grow">
            {showControls(call.name)}{' '}
            <span className="muted">{call.kind === 'llm' ? showControls(call.model ?? '') : ''}</span>
          </span>
          <span className="num-s muted">{latencyText(call, formatLatency, '…')}</span>
        </Link>
      ))}
      {rest > 0 && (
        <p className={`${classes.rest} faint`}>
          {isCut ? `${formatCount(rest)} and more` : `${formatCount(rest)} more`}
        </p>
      )}
    </>
  );
}
