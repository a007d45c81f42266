import { Fragment, type KeyboardEvent, type ReactElement } from 'react';
import type { Difference, Differences } from '../../data/answers.ts';
import { formatCount, formatShare } from '../../format/count.ts';
import { showControls } from '../../json/show-controls.ts';
import { traitText } from './trait-text.ts';
import classes from './why-panel.module.css';

export interface DifferenceListProps {
  readonly differences: readonly Difference[];
  readonly selection: Differences['selection'];
  readonly rest: Differences['rest'];
  readonly onTerm: (term: string) => void;
}

/** Traits by how much their shares differ: two bars each, and what has nearly the same calls below. */
export function DifferenceList({ differences, selection, rest, onTerm }: DifferenceListProps): ReactElement {
  return (
    <ol className={classes.rows} onKeyDown={move}>
      {differences.map((difference) => (
        <li key={`${difference.field} ${difference.relation} ${difference.value}`}>
          <Row difference={difference} of={selection.looked_at} ofRest={rest.looked_at} onTerm={onTerm} />
        </li>
      ))}
    </ol>
  );
}

interface RowProps {
  readonly difference: Difference;
  /** Calls of each side that were looked at. */
  readonly of: number;
  readonly ofRest: number;
  readonly onTerm: (term: string) => void;
}

function Row({ difference, of, ofRest, onTerm }: RowProps): ReactElement {
  const { where, share, rest_share: restShare, same } = difference;
  const { subject, value } = traitText(difference);
  return (
    <button
      type="button"
      className={classes.row}
      disabled={where === null}
      title={where === null ? 'No filter can ask for it' : `Add ${showControls(where)}`}
      onClick={() => where !== null && onTerm(where)}
    >
      <span className={classes.trait}>
        {subject !== '' && <span className={classes.subject}>{subject}</span>} <bdi>{value}</bdi>
      </span>
      <span className={classes.points}>{pointsOf(share - restShare)}</span>
      <Bar label="compared" share={share} calls={difference.calls} of={of} className={classes.selected} />
      <Bar label="others" share={restShare} calls={difference.rest_calls} of={ofRest} className={classes.others} />
      {same.length > 0 && (
        <span className={classes.same}>
          and{' '}
          {same.map((trait, index) => (
            <Fragment key={`${trait.field} ${trait.relation} ${trait.value}`}>
              {index > 0 && ' · '}
              {Object.values(traitText(trait)).join(' ').trim()}
            </Fragment>
          ))}
        </span>
      )}
    </button>
  );
}

interface BarProps {
  readonly label: string;
  readonly share: number;
  readonly calls: number;
  /** Of so many that were looked at. */
  readonly of: number;
  readonly className: string | undefined;
}

function Bar({ label, share, calls, of, className }: BarProps): ReactElement {
  return (
    <>
      <span className={classes.track}>
        {share > 0 && <i className={className} style={{ width: `${100 * share}%` }} />}
      </span>
      <span className={classes.share}>
        {formatShare(share, 1)} <span className="vh">of {label}</span>
      </span>
      <span className={classes.calls}>
        {formatCount(calls)} of {formatCount(of)}
      </span>
    </>
  );
}

/** A difference of shares in points of a hundred. */
function pointsOf(difference: number): ReactElement {
  const points = Math.round(100 * difference);
  return (
    <>
      {points < 0 ? '−' : '+'}
      {Math.abs(points)}
      <span className="faint"> pt</span>
    </>
  );
}

/** Arrows lead along the traits that a filter can ask for. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  rows[Math.max(0, Math.min(rows.length - 1, to))]?.focus();
}
