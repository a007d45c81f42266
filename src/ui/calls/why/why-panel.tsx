import type { ReactElement } from 'react';
import { withTerm } from '../../../filter/edit-terms.ts';
import { traitWords } from '../../../reader/trait-words.ts';
import { Failure } from '../../controls/failure.tsx';
import { WaitingWords } from '../../controls/waiting.tsx';
import type { Difference, Differences } from '../../data/answers.ts';
import { type ComparedSelection, useDifferences } from './use-differences.ts';
import { countOf, formatCount, formatShare } from '../../format/count.ts';
import { showControls } from '../../json/show-controls.ts';
import classes from './why-panel.module.css';

export interface WhyPanelProps {
  readonly compared: ComparedSelection;
  /** The filter of the list. */
  readonly q: string;
  /** Asks for other calls. */
  readonly onFilter: (q: string) => void;
}

/** Traits that some calls have more or less often than others, the largest difference first. */
export function WhyPanel({ compared, q, onFilter }: WhyPanelProps): ReactElement {
  const { data, error, refetch } = useDifferences(compared);
  return (
    <div className={classes.panel}>
      <h2>What is different?</h2>
      {data === undefined && error !== null && (
        <Failure what="Differences could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <WaitingWords what="what is different" isStopped={false} />}
      {data !== undefined && <Found found={data} onTerm={(term) => onFilter(withTerm(q, term))} />}
    </div>
  );
}

interface FoundProps {
  readonly found: Differences;
  readonly onTerm: (term: string) => void;
}

function Found({ found, onTerm }: FoundProps): ReactElement {
  const { selection, rest, differences, compared, left_out: leftOut } = found;
  if (rest.calls === 0) return <p className="muted">There are no other calls to compare with.</p>;
  const lookedAt = rest.looked_at < rest.calls ? `, of which ${formatCount(rest.looked_at)} were looked at` : '';
  return (
    <>
      <p className="muted">
        {countOf(selection.calls, 'call')} beside {countOf(rest.calls, 'other')}
        {lookedAt}. A click adds what was clicked to the filter.
      </p>
      {differences.length === 0 ? (
        <p>Nothing differs by more than chance.</p>
      ) : (
        <ol className={classes.rows}>
          {differences.map((difference) => (
            <li key={`${difference.field} ${difference.relation} ${difference.value}`}>
              <Row difference={difference} onTerm={onTerm} />
            </li>
          ))}
        </ol>
      )}
      <p className="faint">
        {countOf(compared, 'trait')} compared
        {leftOut.length > 0 && <>; left out, as the calls are selected by it: {showControls(leftOut.join(', '))}</>}.
      </p>
    </>
  );
}

interface RowProps {
  readonly difference: Difference;
  readonly onTerm: (term: string) => void;
}

function Row({ difference, onTerm }: RowProps): ReactElement {
  const { where, share, rest_share: restShare, same } = difference;
  const also = same.map((trait) => showControls(traitWords(trait))).join(' · ');
  return (
    <button
      type="button"
      className={classes.row}
      disabled={where === null}
      title={where === null ? 'No filter can ask for it' : `Add ${showControls(where)}`}
      onClick={() => where !== null && onTerm(where)}
    >
      <span className={classes.words}>
        <span className="cut">{showControls(traitWords(difference))}</span>
        {also !== '' && <span className="cut faint">and {also}</span>}
      </span>
      <span className={classes.bars}>
        <Bar label="selected" share={share} className={classes.selected} />
        <Bar label="others" share={restShare} className={classes.others} />
      </span>
    </button>
  );
}

interface BarProps {
  readonly label: string;
  readonly share: number;
  readonly className: string | undefined;
}

function Bar({ label, share, className }: BarProps): ReactElement {
  return (
    <span className={classes.bar}>
      <span className={classes.track}>
        <span className={className} style={{ width: `${100 * share}%` }} />
      </span>
      <span className="num-s">{formatShare(share, 1)}</span> <span className="faint">{label}</span>
    </span>
  );
}
