import { modelOf } from '../layout/model-of.ts';
import { formatCost } from '../../format/cost.ts';
import type { ReactNode } from 'react';
import { Icon } from '../../controls/signs/icon.tsx';
import { KindBox } from '../../controls/signs/kind-box.tsx';
import { at } from '../../tree/numbers.ts';
import { unpricedCalls } from '../layout/unpriced.ts';
import { callKind, callLabel, callName } from '../tree/row-text.ts';
import type { LaidOutTrace } from '../use-trace-layout.ts';
import classes from './phone-sheet.module.css';

interface PhoneSheetProps {
  readonly trace: LaidOutTrace;
  readonly call: number;
  readonly now: number;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** On a phone the selected call waits at the bottom, and fills the screen when it is opened. */
export function PhoneSheet({ trace, call, now, isOpen, onOpen, children }: PhoneSheetProps): ReactNode {
  const { skeleton, layout } = trace;
  if (isOpen) {
    return (
      <section className={classes.whole} aria-label="Selected call">
        <button type="button" className={classes.close} onClick={() => onOpen(false)}>
          <Icon name="back" />
          Trace
        </button>
        {children}
      </section>
    );
  }
  const label = callLabel(skeleton, layout, call, now);
  const usd = at(skeleton.costs, call);
  const isUnpriced = at(unpricedCalls(skeleton, layout.tree), call) === 1;
  const cost = formatCost({ usd: Number.isNaN(usd) ? null : usd, isUnpriced });
  return (
    <div className={classes.sheet}>
      <KindBox kind={callKind(skeleton, call)} />
      <span className={classes.text}>
        <span className={classes.name}>
          <b>{callName(skeleton, call)}</b> {modelOf(skeleton, call)}
        </span>
        <span className={classes.facts}>{[label.number, label.more, cost].filter(Boolean).join(' · ')}</span>
      </span>
      <button type="button" className={classes.open} onClick={() => onOpen(true)}>
        Open
        <Icon name="chevron-right" />
      </button>
    </div>
  );
}
