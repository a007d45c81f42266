import { type TraitParts, traitParts } from '../../../reader/trait-words.ts';
import type { Difference } from '../../data/answers.ts';
import { formatBytes } from '../../format/bytes.ts';
import { formatCount } from '../../format/count.ts';
import { formatLatency } from '../../format/latency.ts';
import { showControls } from '../../json/show-controls.ts';

type Trait = Pick<Difference, 'field' | 'relation' | 'value'>;

/** The parts of a trait as the page writes numbers and what is hidden in texts. */
export function traitText(trait: Trait): TraitParts {
  const { subject, value } = traitParts(trait);
  return { subject: showControls(subject), value: showControls(numberText(trait) ?? value) };
}

/** The edge of a trait about a number, with its unit. */
function numberText({ field, relation, value }: Trait): string | undefined {
  const edge = Number(value);
  if (value === '' || !Number.isFinite(edge)) return undefined;
  if (relation === 'size_at_least') return formatBytes(edge);
  if (relation === 'at_least' && field === 'latency') return formatLatency(edge);
  const isCount = relation === 'length_at_least' || relation === 'at_least';
  return isCount && Number.isInteger(edge) ? formatCount(edge) : undefined;
}
