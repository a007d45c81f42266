import type { ReactElement } from 'react';
import { withoutTerm } from '../../../filter/edit-terms.ts';
import { tokensOf } from '../../../filter/tokens-of.ts';
import { Button } from '../../controls/button.tsx';
import { useCallCount } from '../../data/calls-stats.ts';
import { formatCount } from '../../format/count.ts';
import { Chips } from './chips.tsx';
import classes from './nothing-found.module.css';
import { faultsOf, isTerm } from './filter-faults.ts';
import { piecesOf } from './filter-pieces.ts';
import { steadyNow } from '../list/steady-now.ts';
import { wantedCalls, type WantedOptions } from '../list/wanted-calls.ts';

export interface NothingFoundProps {
  readonly project: string;
  readonly q: string;
  readonly t: string;
  readonly roots: boolean;
  /** Nothing was asked for: the strips above say what is wrong. */
  readonly isUnreadable: boolean;
  readonly onChange: (change: { readonly q?: string; readonly t?: string; readonly roots?: boolean }) => void;
}

/** No call matches: which part of the filter takes away most, and what lies outside the time range. */
export function NothingFound(props: NothingFoundProps): ReactElement {
  return (
    <div className={classes.place}>
      <b>{props.isUnreadable ? 'This filter cannot be read' : 'No call matches'}</b>
      {props.isUnreadable ? <Faults {...props} /> : <Reasons {...props} />}
    </div>
  );
}

/** Ways to leave out what makes no sense, piece by piece. */
function Faults({ q, onChange }: NothingFoundProps): ReactElement {
  return (
    <div className={classes.buttons}>
      {faultsOf(q).map(({ piece: { text, offset }, without }) => (
        <Button key={offset} onClick={() => onChange({ q: without })}>
          Drop {text}
        </Button>
      ))}
    </div>
  );
}

function Reasons({ project, q, t, roots, onChange }: NothingFoundProps): ReactElement {
  const options = { project, q, t, roots, now: steadyNow() };
  const all = useCallCount(wantedCalls({ ...options, q: '' }).sums).data;
  const anyTime = useCallCount(t === 'all' ? undefined : wantedCalls({ ...options, t: 'all' }).sums).data;
  const anyDepth = useCallCount(roots ? wantedCalls({ ...options, roots: false }).sums : undefined).data;
  const terms = piecesOf(q).filter(isTerm);
  return (
    <>
      {terms.slice(0, MOST_TERMS).map(({ text, offset }, index) => (
        <Term key={offset} term={text} options={options} index={index} all={all} />
      ))}
      {(anyTime ?? 0) > 0 && (
        <p>
          <span className="num">{formatCount(anyTime ?? 0)}</span> match outside the time range.
        </p>
      )}
      {(anyDepth ?? 0) > 0 && (
        <p>
          <span className="num">{formatCount(anyDepth ?? 0)}</span> match that are inside of other calls.
        </p>
      )}
      <div className={classes.buttons}>
        {terms.slice(0, MOST_TERMS).map(({ text, offset }, index) => (
          <Button key={offset} onClick={() => onChange({ q: withoutTerm(q, termAt(q, index)) })}>
            Drop {text}
          </Button>
        ))}
        {(anyTime ?? 0) > 0 && <Button onClick={() => onChange({ t: 'all' })}>Search all time</Button>}
        {(anyDepth ?? 0) > 0 && <Button onClick={() => onChange({ roots: false })}>Search all calls</Button>}
      </div>
    </>
  );
}

/** Each is a question to the service. */
const MOST_TERMS = 5;

interface TermProps {
  readonly term: string;
  readonly options: WantedOptions;
  readonly index: number;
  readonly all: number | undefined;
}

/** How much a term takes away by itself, and how much would be left without it; of a lone one the first says both. */
function Term({ term, options, index, all }: TermProps): ReactElement | null {
  const others = withoutTerm(options.q, termAt(options.q, index));
  const left = useCallCount(wantedCalls({ ...options, q: others }).sums).data;
  const alone = useCallCount(wantedCalls({ ...options, q: term }).sums).data;
  if (left === undefined || alone === undefined || all === undefined) return null;
  return (
    <p>
      <Chips text={term} /> alone removes{' '}
      {alone === 0 ? (
        'all'
      ) : (
        <>
          <span className="num">{formatCount(all - alone)}</span> of
        </>
      )}{' '}
      <span className="num">{formatCount(all)}</span> calls
      {others !== '' && (
        <>
          ; without it {left === 0 ? 'still none' : <span className="num">{formatCount(left)}</span>}{' '}
          {left === 1 ? 'matches' : 'match'}
        </>
      )}
      .
    </p>
  );
}

/** The number of a term as the filter counts them. */
function termAt(q: string, index: number): number {
  const terms = [...new Set(tokensOf(q).flatMap(({ term }) => term ?? []))];
  return terms[index] ?? 0;
}
