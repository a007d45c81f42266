import type { CSSProperties, ReactElement } from 'react';
import type { CallRow } from '../data/answers.ts';
import { formatCount } from '../format/count.ts';
import { formatLatency } from '../format/latency.ts';
import { formatMoney } from '../format/money.ts';
import classes from './turn-strip.module.css';

export interface TurnStripProps {
  readonly turns: readonly CallRow[];
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}

interface Measure {
  readonly name: string;
  readonly of: (turn: CallRow) => number;
  readonly text: (value: number) => string;
}

const MEASURES: readonly Measure[] = [
  { name: 'Cost', of: ({ cost }) => cost ?? 0, text: formatMoney },
  { name: 'Tokens', of: ({ tokens }) => tokens ?? 0, text: formatCount },
  { name: 'Latency', of: ({ latency_ms: ms }) => ms ?? 0, text: formatLatency },
];

/** A bar for each turn: what it cost, else its tokens, else its time. The tab stops are those of the list below it. */
export function TurnStrip({ turns, selected, onSelect }: TurnStripProps): ReactElement | null {
  const measure = MEASURES.find(({ of }) => turns.some((turn) => of(turn) > 0));
  if (measure === undefined) return null;
  const hasCached = turns.some(({ tokens_cached: cached }) => (cached ?? 0) > 0);
  const most = Math.max(...turns.map(measure.of));
  return (
    <section className={classes.strip} aria-label={`${measure.name} per turn`}>
      <div className={classes.key}>
        <span>{measure.name} per turn</span>
        {hasCached && (
          <>
            <span>
              <b />
              new
            </span>
            <span>
              <b className={classes.cachedKey} />
              cached
            </span>
          </>
        )}
      </div>
      <span className={classes.most}>{measure.text(most)}</span>
      <div className={classes.bars}>
        {turns.map((turn, index) => (
          <i
            key={turn.id}
            className={`${classes.bar} ${classes[turn.state]} ${index === selected ? classes.selected : ''}`}
            style={barStyle(measure.of(turn) / most, turn)}
            title={`turn ${index + 1}: ${measure.text(measure.of(turn))}`}
            onClick={() => onSelect(index)}
          />
        ))}
      </div>
      <div className={classes.axis}>
        <span>turn 1</span>
        {ticksOf(turns.length).map((turn) => (
          <span key={turn} style={{ left: `${((turn - 0.5) / turns.length) * 100}%` }}>
            {turn}
          </span>
        ))}
        {turns.length > 1 && <span>{turns.length}</span>}
      </div>
    </section>
  );
}

const MOST_TICKS = 8;

/** Round numbers between the first turn and the last, with room around each. */
function ticksOf(count: number): number[] {
  const step = [10, 20, 50, 100, 200].find((each) => count / each <= MOST_TICKS) ?? 500;
  return Array.from({ length: Math.floor(count / step) }, (_, index) => (index + 1) * step).filter(
    (turn) => count - turn >= step / 4,
  );
}

const LEAST_SHARE = 0.02;

function barStyle(share: number, { tokens_cached: cached, tokens_in: input }: CallRow): CSSProperties {
  const cachedShare = input !== null && input > 0 ? (cached ?? 0) / input : 0;
  const percent = (part: number) => `${(part * 100).toFixed(1)}%`;
  return { '--height': percent(Math.max(LEAST_SHARE, share)), '--cached': percent(cachedShare) } as CSSProperties;
}
