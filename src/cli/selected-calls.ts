import type { CallsSelection } from '../protocol/page/calls-selection.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import { UsageError } from './failure.ts';
import { caretLines } from './output/caret.ts';
import { localTimeZone } from './local-time-zone.ts';

/** The calls that a command is about, as its options say it. */
export interface SelectionOptions {
  /** In the filter language. */
  readonly filter?: string;
  /** Unix seconds. */
  readonly since?: number;
}

/** The selection that the options mean; throws `UsageError` where the filter makes no sense. */
export function selectionOf({ filter = '', since }: SelectionOptions): Omit<CallsSelection, 'project_id'> {
  const parsed = parseFilter(filter);
  const [wrong] = Array.isArray(parsed) ? parsed : [];
  if (wrong !== undefined) {
    const message = `Cannot read the filter at character ${wrong.offset + 1}: ${wrong.message}`;
    throw new UsageError(message, { detail: caretLines(filter, wrong) });
  }
  return {
    ...(filter.trim() !== '' && { where: filter, time_zone: localTimeZone() }),
    ...(since !== undefined && { started_after: new Date(since * 1000).toISOString() }),
  };
}
