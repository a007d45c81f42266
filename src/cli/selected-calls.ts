import type { CallsSelection } from '../protocol/page/calls-selection.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import { toSelection } from '../filter/to-selection.ts';
import { UsageError } from './failure.ts';

/** Which calls a command is about, as its options say it. */
export interface SelectionOptions {
  /** In the filter language. */
  readonly filter?: string;
  /** Unix seconds. */
  readonly since?: number;
}

/** The selection that the options mean; throws where the service could not be asked for it. */
export function selectionOf(
  { filter = '', since }: SelectionOptions,
  projectId: string,
): Omit<CallsSelection, 'project_id'> {
  const now = Date.now();
  const parsed = parseFilter(filter);
  if (Array.isArray(parsed)) {
    const [first] = parsed;
    throw new UsageError(`Cannot read the filter at character ${(first?.offset ?? 0) + 1}: ${first?.message ?? ''}`);
  }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { beyond, ...selection } = toSelection(parsed, { projectId, now, timeZone });
  if (beyond !== undefined) {
    throw new UsageError(
      'Cannot count by this filter: tokens, cost, parts of models, running and never are for lists only',
    );
  }
  const started = since === undefined ? undefined : new Date(since * 1000).toISOString();
  const after = [selection.started_after, started]
    .filter((text) => text !== undefined)
    .toSorted()
    .at(-1);
  return { ...selection, ...(after !== undefined && { started_after: after }) };
}
