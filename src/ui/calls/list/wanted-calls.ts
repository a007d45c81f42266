import type { BeyondCondition } from '../../../filter/condition.ts';
import { parseFilter } from '../../../filter/parse-filter.ts';
import { toSelection } from '../../../filter/to-selection.ts';
import type { FilterError } from '../../../filter/tree.ts';
import type { CallsSelection } from '../../data/answers.ts';
import { rangeOf } from '../filter/range.ts';

export interface Wanted {
  readonly selection?: CallsSelection;
  /** What the service cannot be asked: rows are looked at here. */
  readonly beyond: readonly BeyondCondition[];
  readonly errors: readonly FilterError[];
}

export interface WantedOptions {
  readonly project: string;
  readonly q: string;
  readonly t: string;
  readonly roots: boolean;
  readonly now: number;
}

/** Which calls the address of the page asks for. A start in the filter counts instead of the range beside it. */
export function wantedCalls({ project, q, t, roots, now }: WantedOptions): Wanted {
  const tree = parseFilter(q);
  if (Array.isArray(tree)) return { beyond: [], errors: tree };
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { beyond = [], roots_only: asksRoots, ...asked } = toSelection(tree, { projectId: project, now, timeZone });
  const hasStart = asked.started_after !== undefined || asked.started_before !== undefined;
  const { after, before } = hasStart ? {} : rangeOf(t, now);
  const selection = {
    project_id: project,
    ...asked,
    ...(after !== undefined && { started_after: new Date(after).toISOString() }),
    ...(before !== undefined && { started_before: new Date(before).toISOString() }),
    ...((roots || asksRoots === true) && { roots_only: true }),
  };
  return { selection, beyond, errors: [] };
}
