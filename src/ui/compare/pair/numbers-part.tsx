import type { ReactElement, ReactNode } from 'react';
import { formatCount } from '../../format/count.ts';
import { formatLatency } from '../../format/latency.ts';
import { formatCost } from '../../format/cost.ts';
import { at } from '../../tree/numbers.ts';
import type { CallColumns, PairTable, Sides } from '../answer/answer.ts';
import type { Usage } from '../answer/pair-detail.ts';
import { costChange, isWorseShare, latencyChange, shareChange } from '../change-words.ts';
import { moneyAt, timeAt } from '../known-numbers.ts';
import classes from './numbers.module.css';

export interface NumbersPartProps {
  readonly pairs: PairTable;
  readonly pair: number;
  readonly usage: Sides<Usage | null>;
}

/** The numbers of both calls, with those of the calls below them. */
export function NumbersPart({ pairs, pair, usage }: NumbersPartProps): ReactElement {
  const { a, b } = pairs;
  const [latency, cost] = [
    latencyChange(timeAt(a, pair), timeAt(b, pair)),
    costChange(moneyAt(a, pair), moneyAt(b, pair)),
  ];
  return (
    <table className={classes.table} aria-label="Numbers of both calls">
      <thead>
        <tr>
          <th scope="col">With calls below</th>
          <th scope="col">A</th>
          <th scope="col">B</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        <Line
          name="Latency"
          a={latencyOf(a, pair)}
          b={latencyOf(b, pair)}
          change={latency?.text}
          isWorse={latency?.isWorse}
        />
        <Line name="Cost" a={costOf(a, pair)} b={costOf(b, pair)} change={cost?.text} isWorse={cost?.isWorse} />
        <Count name="Tokens in" a={usage.a?.input} b={usage.b?.input} />
        <Count name="of those cached" a={usage.a?.cached} b={usage.b?.cached} isMore={false} />
        <Count name="Tokens out" a={usage.a?.output} b={usage.b?.output} />
      </tbody>
    </table>
  );
}

function latencyOf({ ids, durationMs }: CallColumns, pair: number): string {
  if (ids[pair] === '') return '–';
  const ms = at(durationMs, pair);
  return Number.isNaN(ms) ? 'no end' : formatLatency(ms);
}

function costOf({ cost, isUnpriced }: CallColumns, pair: number): string {
  const usd = at(cost, pair);
  return formatCost({ usd: Number.isNaN(usd) ? null : usd, isUnpriced: at(isUnpriced, pair) === 1 }) ?? '–';
}

interface CountProps {
  readonly name: string;
  readonly a: number | undefined;
  readonly b: number | undefined;
  readonly isMore?: boolean;
}

function Count({ name, a, b, isMore = true }: CountProps): ReactElement {
  const [before, after] = [a ?? null, b ?? null];
  const text = (count: number | null): string => (count === null ? '–' : formatCount(count));
  return (
    <Line
      name={name}
      a={text(before)}
      b={text(after)}
      change={shareChange(before, after)}
      isWorse={isWorseShare(before, after, isMore)}
    />
  );
}

interface LineProps {
  readonly name: string;
  readonly a: ReactNode;
  readonly b: ReactNode;
  readonly change: string | undefined;
  readonly isWorse: boolean | undefined;
}

function Line({ name, a, b, change, isWorse = false }: LineProps): ReactElement {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{a}</td>
      <td>{b}</td>
      <td className={isWorse ? 'warn' : 'muted'}>{change}</td>
    </tr>
  );
}
