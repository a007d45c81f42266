import type { ReactElement } from 'react';
import classes from './cause-chip.module.css';
import type { PairKind } from './answer/pair-kinds.ts';

export type CauseTone = 'cause' | 'plain' | 'a' | 'b' | 'ok';

export interface CauseChipProps {
  readonly tone: CauseTone;
  readonly title?: string | undefined;
  /** Absent: it only tells. */
  readonly onClick?: () => void;
  readonly children: string;
}

/** Why two calls differ. What something else may be the reason of stands back. */
export function CauseChip({ tone, title, onClick, children }: CauseChipProps): ReactElement {
  const names = `${classes.chip} ${classes[tone]}`;
  const words = <span className="cut">{children}</span>;
  if (onClick === undefined) {
    return (
      <span className={names} title={title}>
        {words}
      </span>
    );
  }
  return (
    <button type="button" className={names} title={title} onClick={onClick}>
      {words}
    </button>
  );
}

/** Amber is for what somebody changed; that a call answers otherwise by itself is none of it. */
export function toneOf(kind: PairKind, isOrigin: boolean): CauseTone {
  if (kind === 'only_a') return 'a';
  if (kind === 'only_b') return 'b';
  return isOrigin && kind !== 'output' ? 'cause' : 'plain';
}
