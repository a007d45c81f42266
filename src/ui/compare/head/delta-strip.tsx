import type { ReactElement, ReactNode } from 'react';
import { FactLine, type LineFact } from '../../controls/facts/fact-line.tsx';
import { type Fact, Facts } from '../../controls/facts/facts.tsx';
import { formatCost } from '../../format/cost.ts';
import { countOf, formatCount } from '../../format/count.ts';
import { formatLatency } from '../../format/latency.ts';
import type { ComparedAnswer, SideTotals, Sides } from '../answer/answer.ts';
import { CauseChip, toneOf } from '../cause-chip.tsx';
import { originSentence, originWords, timeWords, type VersionNumbers } from '../cause-words.ts';
import { isWorseShare, latencyChange, shareChange } from '../change-words.ts';
import classes from './delta-strip.module.css';

export interface DeltaStripProps {
  readonly answer: ComparedAnswer;
  readonly numbers: VersionNumbers;
  /** Shows the first pair with a cause. */
  readonly onPair: (pair: number) => void;
}

/** The sums of both sides, and why they differ. */
export function DeltaStrip({ answer, numbers, onPair }: DeltaStripProps): ReactElement {
  const { origins, times, pairs, totals } = answer;
  const told = origins.reduce((sum, { pairs: all }) => sum + all.length, 0);
  const rest = pairs.kind.reduce((sum, kind) => sum + Number(kind !== 0), 0) - told;
  const causes = origins.map((origin, index): LineFact => ({
    name: String(index),
    content: (
      <CauseChip
        tone={toneOf(origin.kind, true)}
        title={originSentence(origin, numbers)}
        onClick={() => onPair(origin.pairs[0] ?? 0)}
      >
        {originWords(origin, numbers)}
      </CauseChip>
    ),
  }));
  const slower = times.map((time): LineFact => ({
    name: `time of ${time.op}`,
    content: (
      <CauseChip
        tone="cause"
        title="By itself, without what it calls, and given the same"
        onClick={() => onPair(time.pairs[0] ?? 0)}
      >
        {timeWords(time)}
      </CauseChip>
    ),
  }));
  const more: LineFact = {
    name: 'rest',
    content: (
      <span className="muted" title="They may come of these causes">
        {countOf(rest, 'more call differs', 'more calls differ')}
      </span>
    ),
  };
  const alike: LineFact = {
    name: 'alike',
    content: (
      <CauseChip tone="ok">
        {pairs.isCut.includes(1) ? 'Nothing differs but numbers, as far as recorded' : 'Nothing differs but numbers'}
      </CauseChip>
    ),
  };
  return (
    <section className={classes.strip} aria-label="What differs">
      <div className={classes.why}>
        <h2>{origins.length === 0 ? 'Why' : 'Why, first cause first'}</h2>
        <FactLine
          facts={[...(origins.length === 0 ? [alike] : causes), ...slower, ...(rest === 0 ? [] : [more])]}
          className={classes.causes}
        />
      </div>
      <div className={classes.totals}>
        <Facts facts={factsOf(totals)} />
      </div>
    </section>
  );
}

function factsOf({ a, b }: Sides<SideTotals>): readonly Fact[] {
  const [costA, costB] = [formatCost(a.cost), formatCost(b.cost)];
  return [
    { name: 'Latency', value: latencyOf(a.durationMs, b.durationMs) },
    ...(costA === undefined && costB === undefined
      ? []
      : [
          {
            name: 'Cost',
            value: (
              <FromTo
                from={costA ?? '–'}
                to={costB ?? '–'}
                share={shareChange(wholeOf(a), wholeOf(b))}
                isWorse={isWorseShare(wholeOf(a), wholeOf(b))}
              />
            ),
          },
        ]),
    ...(a.tokens === null && b.tokens === null
      ? []
      : [{ name: 'Tokens', value: countsOf(a.tokens, b.tokens, isWorseShare(a.tokens, b.tokens)) }]),
    // Fewer of these cost more.
    ...(a.cached + b.cached === 0
      ? []
      : [{ name: 'Cached', value: countsOf(a.cached, b.cached, isWorseShare(a.cached, b.cached, false)) }]),
    { name: 'Calls', value: <FromTo from={formatCount(a.calls)} to={formatCount(b.calls)} /> },
    {
      name: 'Errors',
      value: <FromTo from={a.errors === b.errors ? undefined : formatCount(a.errors)} to={errorsOf(b.errors)} />,
    },
  ];
}

/** Null: a part of it has no price, or comes on top. */
function wholeOf({ cost: { usd, isUnpriced }, open }: SideTotals): number | null {
  return isUnpriced || open > 0 ? null : usd;
}

function latencyOf(a: number | null, b: number | null): ReactElement {
  const text = (ms: number | null): string => (ms === null ? 'no end' : formatLatency(ms));
  const isWorse = a !== null && b !== null && latencyChange(a, b)?.isWorse === true;
  return <FromTo from={text(a)} to={text(b)} share={shareChange(a, b)} isWorse={isWorse} />;
}

function countsOf(a: number | null, b: number | null, isWorse: boolean): ReactElement {
  const text = (count: number | null): string => (count === null ? '–' : formatCount(count));
  return <FromTo from={text(a)} to={text(b)} share={shareChange(a, b)} isWorse={isWorse} />;
}

function errorsOf(count: number): ReactNode {
  return count === 0 ? (
    '0'
  ) : (
    <span className="err" title={countOf(count, 'error')}>
      {formatCount(count)}
    </span>
  );
}

interface FromToProps {
  /** Absent: it was the same. */
  readonly from: string | undefined;
  readonly to: ReactNode;
  readonly share?: string | undefined;
  readonly isWorse?: boolean;
}

function FromTo({ from, to, share, isWorse = false }: FromToProps): ReactElement {
  if (from === undefined || from === to) return <>{to}</>;
  return (
    <>
      <span className="muted">{from} → </span>
      {to}
      {share !== undefined && <span className={isWorse ? 'warn' : 'muted'}> {share}</span>}
    </>
  );
}
