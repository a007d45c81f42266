import { isSameWork } from '../layout/model-of.ts';
import { formatCount } from '../../format/count.ts';
import { durationText } from '../tree/duration-text.ts';
import { type ReactNode, useMemo } from 'react';
import { CostSign } from '../../controls/signs/cost-sign.tsx';
import { Icon } from '../../controls/signs/icon.tsx';
import { KindBox } from '../../controls/signs/kind-box.tsx';
import { type OpSum, opSumsOf } from '../layout/op-sums.ts';
import type { TimeScale } from '../layout/time-scale.ts';
import { kindClass } from '../../controls/signs/kind-colour.ts';
import type { LaidOutTrace } from '../use-trace-layout.ts';
import classes from './op-table.module.css';

interface OpTableProps {
  readonly trace: LaidOutTrace;
  readonly scale: TimeScale;
  readonly selected: number | undefined;
  readonly onSelect: (call: number) => void;
}

/** By it ops come in their order. */
const HEAVIEST_FIRST = 'Self';
const HEADS = ['Ops in view', 'Calls', '', HEAVIEST_FIRST, 'Share', 'p50', 'Max', 'Errors', 'Cost'];

/** The sums of each op in the stretch of time in view; a line leads to the longest call of its op there. */
export function OpTable({ trace, scale, selected, onSelect }: OpTableProps): ReactNode {
  const { skeleton, layout } = trace;
  const sums = useMemo(() => opSumsOf(skeleton, layout, scale.from, scale.to), [skeleton, layout, scale]);
  const most = sums[0]?.self || 1;
  const isChosen = ({ longest }: OpSum): boolean => selected !== undefined && isSameWork(skeleton, longest, selected);
  return (
    <div className={classes.table} role="table" aria-label="Ops in view">
      <div className={classes.head} role="row">
        {HEADS.map((head) => (
          <span key={head || 'bar'} role="columnheader" aria-sort={head === HEAVIEST_FIRST ? 'descending' : undefined}>
            {head || <span className={classes.hidden}>Self time, bar</span>}
            {head === HEAVIEST_FIRST && <Icon name="arrow-down" size={12} />}
          </span>
        ))}
      </div>
      <div className={classes.body} role="rowgroup">
        {sums.map((sum) => (
          <OpLine
            key={`${sum.op} ${sum.model ?? ''}`}
            sum={sum}
            most={most}
            trace={trace}
            isChosen={isChosen(sum)}
            onSelect={() => onSelect(sum.longest)}
          />
        ))}
      </div>
    </div>
  );
}

interface OpLineProps {
  readonly sum: OpSum;
  readonly most: number;
  readonly trace: LaidOutTrace;
  readonly isChosen: boolean;
  readonly onSelect: () => void;
}

function OpLine({ sum, most, trace, isChosen, onSelect }: OpLineProps): ReactNode {
  const op = trace.skeleton.ops[sum.op];
  const kind = op?.kind ?? 'other';
  const { usd, isUnpriced } = sum.cost;
  const hasCost = usd !== null || isUnpriced;
  return (
    <div className={classes.line} role="row" data-chosen={isChosen || undefined} onClick={onSelect}>
      <span role="rowheader" className={classes.op}>
        <KindBox kind={kind} />
        <button type="button" className={classes.name} title={op?.name}>
          {op?.name}
          {sum.model !== undefined && ` ${sum.model}`}
        </button>
      </span>
      <span role="cell">{formatCount(sum.calls)}</span>
      <span role="cell" className={classes.bar}>
        <i className={kindClass(kind)} style={{ width: `${(sum.self / most) * 100}%` }} />
      </span>
      <span role="cell">{durationText(sum.self)}</span>
      <span role="cell" className={classes.muted}>{`${(sum.share * 100).toFixed(1)}%`}</span>
      <span role="cell">{durationText(sum.p50)}</span>
      <span role="cell">{durationText(sum.max)}</span>
      <span role="cell" className={sum.errors > 0 ? classes.error : classes.none}>
        {sum.errors > 0 ? formatCount(sum.errors) : '–'}
      </span>
      <span role="cell" className={hasCost ? '' : classes.none}>
        {hasCost ? <CostSign usd={usd} unpriced={isUnpriced} /> : '–'}
      </span>
    </div>
  );
}
