import type { BeyondCondition } from '../../../filter/condition.ts';
import { parseFilter } from '../../../filter/parse-filter.ts';
import { toSelection } from '../../../filter/to-selection.ts';
import type { FilterError } from '../../../filter/tree.ts';
import type { CallsSelection } from '../../data/answers.ts';
import { shownZone } from '../../format/time.ts';
import { callsOfRange, type RangeOptions } from '../filter/range.ts';

export interface Wanted {
  /** The rows that are read. */
  readonly selection?: CallsSelection;
  /** The calls that are meant, for sums and files: where rows are looked at here, the service looks at them itself. */
  readonly sums?: CallsSelection;
  /** Conditions that no query can ask for: rows are looked at here. */
  readonly beyond: readonly BeyondCondition[];
  readonly errors: readonly FilterError[];
}

export interface WantedOptions extends RangeOptions {
  readonly q: string;
}

/** The calls that the address of the page asks for. A start in the filter counts instead of the range beside it. */
export function wantedCalls({ project, q, t, roots, now }: WantedOptions): Wanted {
  const tree = parseFilter(q);
  if (Array.isArray(tree)) return { beyond: [], errors: tree };
  const timeZone = shownZone();
  const { beyond = [], roots_only: asksRoots, ...asked } = toSelection(tree, { projectId: project, now, timeZone });
  const hasStart = asked.started_after !== undefined || asked.started_before !== undefined;
  const range = callsOfRange({ project, t: hasStart ? 'all' : t, roots: roots || asksRoots === true, now });
  const selection = { ...range, ...asked };
  const sums = beyond.length === 0 ? selection : { ...range, where: q, time_zone: timeZone };
  return { selection, sums, beyond, errors: [] };
}
