import type { ReactNode } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { KindBox } from '../parts/KindBox.tsx';
import { at } from './layout/numbers.ts';
import { callKind, callLabel, callName } from './row-text.ts';
import { moneyText } from './units.ts';
import type { LaidOutTrace } from './use-trace-layout.ts';
import styles from './phone-sheet.module.css';

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
      <section className={styles['whole']} aria-label="Selected call">
        <button type="button" className={styles['close']} onClick={() => onOpen(false)}>
          <Icon name="left" />
          Trace
        </button>
        {children}
      </section>
    );
  }
  const label = callLabel(skeleton, layout, call, now);
  const cost = at(skeleton.costs, call);
  return (
    <div className={styles['sheet']}>
      <KindBox kind={callKind(skeleton, call)} />
      <span className={styles['text']}>
        <span className={styles['name']}>
          <b>{callName(skeleton, call)}</b> {skeleton.models.get(call)}
        </span>
        <span className={styles['facts']}>
          {[label.number, label.more, cost > 0 && moneyText(cost)].filter(Boolean).join(' · ')}
        </span>
      </span>
      <button type="button" className={styles['open']} onClick={() => onOpen(true)}>
        Open
        <Icon name="right" />
      </button>
    </div>
  );
}
