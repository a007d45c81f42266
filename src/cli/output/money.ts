import type { Cost } from '../../reader/call-cost.ts';
import { grouped } from './numbers.ts';
import { toLine } from './plain-text.ts';

const MAX_NAMES = 3;
const MAX_NAME_LENGTH = 40;

/** `$0.0123`, `$1,204.50 + 3.00 EUR`, `~$0.02` for an estimate, `≥ $0.0123 (no price: my-model)`, `no price: my-model`. */
export function formatCost(cost: Cost, isPartial = false): string {
  const { amounts, unpricedModels, isEstimate } = cost;
  const counted = Object.entries(amounts);
  // Where nothing is nothing of everything, one currency is enough.
  const shown = counted.filter(([, amount]) => amount !== 0);
  const text = (shown.length > 0 ? shown : counted.slice(0, 1))
    .map(([unit, amount]) => formatMoney(amount, unit))
    .join(' + ');
  const atLeast = `≥ ${isEstimate && isPartial ? '~' : ''}${text}`;
  if (unpricedModels.length === 0) {
    if (isPartial) return atLeast;
    return isEstimate ? `~${text}` : text;
  }
  const names = `no price: ${namesOf(unpricedModels)}`;
  return text === '' ? names : `${atLeast} (${names})`;
}

/** Without the names of models: `≥ $0.0123`, `no price`. */
export function formatShortCost(cost: Cost, isPartial = false): string {
  const { amounts, unpricedModels } = cost;
  const isUnpriced = unpricedModels.length > 0;
  if (isUnpriced && Object.keys(amounts).length === 0) return 'no price';
  return formatCost({ ...cost, unpricedModels: [] }, isPartial || isUnpriced);
}

/** `$1,204.50`, `$0.0123`, `$0.000012`, `0.50 EUR`. */
export function formatMoney(amount: number, unit: string): string {
  const digits = formatAmount(amount);
  return unit === 'USD' ? `$${digits}` : `${digits} ${toLine(unit, 10)}`;
}

/** Cents of what is much, and two digits of what is little. */
function formatAmount(amount: number): string {
  if (amount === 0) return '0';
  if (amount >= 1e15) return amount.toExponential(2);
  if (amount >= 1) return grouped(amount.toFixed(2));
  if (amount >= 0.01) return amount.toFixed(4);
  const places = Math.min(12, 1 - Math.floor(Math.log10(amount)));
  return amount.toFixed(places);
}

function namesOf(models: readonly string[]): string {
  const named = models.slice(0, MAX_NAMES).map((model) => toLine(model, MAX_NAME_LENGTH) || '""');
  const rest = models.length - named.length;
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`;
}
