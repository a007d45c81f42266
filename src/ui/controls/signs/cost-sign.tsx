import type { ReactElement } from 'react';
import { formatCost } from '../../format/cost.ts';

export interface CostSignProps {
  /** US dollars; null: none known. */
  readonly usd: number | null;
  /** Models without a price, or whether there are such: a sum without them is not all. */
  readonly unpriced: readonly string[] | boolean;
}

/** The cost of something, marked where models have no price; nothing where nothing was used that has one. */
export function CostSign({ usd, unpriced }: CostSignProps): ReactElement | null {
  const names = typeof unpriced === 'boolean' ? [] : unpriced;
  const isUnpriced = unpriced === true || names.length > 0;
  const text = formatCost({ usd, isUnpriced });
  if (text === undefined) return null;
  if (!isUnpriced) return <>{text}</>;
  return (
    <span className="warn" title={names.length > 0 ? `No price: ${names.join(', ')}` : 'Of models without a price'}>
      {text}
    </span>
  );
}
