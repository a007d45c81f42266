import { formatMoney } from './money.ts';

/** US dollars; null: none known. Where models have no price it is not all. */
export interface Cost {
  readonly usd: number | null;
  readonly isUnpriced: boolean;
}

/** `$0.021`, `≥ $0.021` where a part has no price, `no price`; undefined: nothing that has a price was used. */
export function formatCost({ usd, isUnpriced }: Cost): string | undefined {
  if (usd === null) return isUnpriced ? 'no price' : undefined;
  return `${isUnpriced ? '≥ ' : ''}${formatMoney(usd)}`;
}
